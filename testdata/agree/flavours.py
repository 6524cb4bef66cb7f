"""The programs that addresses are asked of: the sources of this folder, built in many ways, and what is installed."""

import concurrent.futures
import dataclasses
import functools
import glob
import os
import re
import shutil
import subprocess

from elf import Elf

SOURCE = os.path.dirname(os.path.abspath(__file__))
PARTS = ('main.cc', 'shapes.cc', 'plain.c', 'assembly.S')
C_COMPILER = {'g++': 'gcc', 'clang++': 'clang'}


class Missing(Exception):
    """A tool that a flavour is built with, or a program that a package installs, is not there."""


@dataclasses.dataclass
class Flavour:
    program: str                # that pprof is asked about
    reference: str = ''         # that llvm-symbolizer is asked about, with the same addresses and all symbols
    options: tuple = ()         # of pprof
    hidden: tuple = ()          # files that pprof is not to find
    folder: str = '.'           # that llvm-symbolizer takes relative folders of a unit from
    most: int = 3000            # addresses

    def __post_init__(self):
        self.reference = self.reference or self.program


def run(command, folder=None, **variables):
    if not shutil.which(command[0]):
        raise Missing(command[0])
    subprocess.run(command, cwd=folder, env={**os.environ, **variables}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                   stderr=subprocess.STDOUT, text=True, check=True)


def folder_name(name):
    return re.sub(r'[^\w.-]+', '_', name.replace('+', 'x'))


class Workshop:
    """WORK/src is a copy of the sources and the directory of each compilation; what is built is in WORK/NAME."""

    def __init__(self, work):
        self.work = work
        self.source = os.path.join(work, 'src')
        shutil.copytree(SOURCE, self.source, dirs_exist_ok=True, ignore=shutil.ignore_patterns('*.py', '__pycache__'))

    def path(self, name, file='agree'):
        folder = os.path.join(self.work, folder_name(name))
        os.makedirs(folder, exist_ok=True)
        return os.path.join(folder, file)

    def program(self, name, compiler, flags, link=(), opt='-O2', parts=PARTS):
        path = self.path(name)
        objects = [f'../{folder_name(name)}/{part}.o' for part in parts]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda part, to: self.compile(compiler, [opt, *flags], part, to), parts, objects))
        run([compiler, opt, *flags, *link, '-Wl,--build-id', '-o', path, *objects], self.source)
        return path

    def compile(self, compiler, flags, part, to):
        tool = [compiler, '-std=c++20'] if part.endswith('.cc') else [C_COMPILER[compiler]]
        run([*tool, *flags, '-Iinclude', '-c', '-o', to, part], self.source)

    @functools.cache
    def plain(self, compiler):
        return self.program(f'plain {compiler}', compiler, ['-g'])

    def copy(self, path, name):
        return shutil.copy(path, self.path(name))


def built(shop, name, compiler, flags, link=(), opt='-O2', parts=PARTS):
    return name, lambda: Flavour(shop.program(name, compiler, flags, link, opt, parts))


def made(make, shop, name, *args):
    return name, functools.partial(make, shop, name, *args)


# ---------------------------------------------------------------------------------------------------- compilers, linkers

def versions(shop):
    for compiler in C_COMPILER:
        for opt in ('-O0', '-O2'):
            for version in (2, 3, 4, 5):
                yield built(shop, f'{compiler} {opt}, DWARF {version}', compiler, [f'-gdwarf-{version}'], opt=opt)


def compilations(shop):
    yield built(shop, 'g++ -Os', 'g++', ['-g'], opt='-Os')
    yield built(shop, 'clang++ -Os', 'clang++', ['-g'], opt='-Os')
    for compiler in C_COMPILER:
        yield built(shop, f'{compiler} -O3 -fdebug-types-section', compiler, ['-g', '-fdebug-types-section'], opt='-O3')
        yield built(shop, f'{compiler} -g1', compiler, ['-g1'])
        yield built(shop, f'{compiler} -gdwarf64', compiler, ['-g', '-gdwarf-5', '-gdwarf64'])
    yield built(shop, 'g++ -fopenmp, clones', 'g++', ['-g', '-fopenmp'], parts=['clones.cc'])
    for version in (4, 5):
        yield built(shop, f'g++ DWARF {version}, line table of its own', 'g++',
                    [f'-gdwarf-{version}', '-gno-as-loc-support', '-gno-as-locview-support'])
    yield built(shop, 'g++, folder "."', 'g++', ['-g', f'-fdebug-prefix-map={shop.source}=.'])
    yield built(shop, 'g++ DWARF 4, folder "."', 'g++', ['-gdwarf-4', f'-fdebug-prefix-map={shop.source}=.'])
    yield built(shop, 'clang++, folder "."', 'clang++', ['-g', '-fdebug-compilation-dir=.'])
    yield built(shop, 'g++, folder "./src"', 'g++', ['-g', f'-fdebug-prefix-map={shop.source}=./src'])
    yield built(shop, 'g++ -flto', 'g++', ['-g', '-flto'])


def linkers(shop):
    yield built(shop, 'clang++ -flto, lld', 'clang++', ['-g', '-flto'], ['-fuse-ld=lld'])
    yield built(shop, 'clang++ -flto=thin, lld', 'clang++', ['-g', '-flto=thin'], ['-fuse-ld=lld'])
    yield built(shop, 'g++, gold', 'g++', ['-g'], ['-fuse-ld=gold'])
    yield built(shop, 'g++, gold --gdb-index --icf', 'g++', ['-g', '-ffunction-sections'],
                ['-fuse-ld=gold', '-Wl,--gdb-index,--icf=all'])
    yield built(shop, 'clang++, lld', 'clang++', ['-g'], ['-fuse-ld=lld'])
    yield built(shop, 'clang++ --gc-sections --icf, lld', 'clang++', ['-g', '-ffunction-sections'],
                ['-fuse-ld=lld', '-Wl,--gc-sections,--icf=all'])
    yield built(shop, 'clang++ -fbasic-block-sections=all, lld', 'clang++', ['-g', '-fbasic-block-sections=all'],
                ['-fuse-ld=lld'])
    yield built(shop, 'clang++, lld, zlib', 'clang++', ['-g'], ['-fuse-ld=lld', '-Wl,--compress-debug-sections=zlib'])
    yield built(shop, 'g++, mold', 'g++', ['-g'], ['-fuse-ld=mold'])
    yield built(shop, 'g++, mold, zlib', 'g++', ['-g'], ['-fuse-ld=mold', '-Wl,--compress-debug-sections=zlib'])
    yield built(shop, 'g++ -no-pie --gc-sections', 'g++', ['-g', '-fno-pie', '-ffunction-sections'],
                ['-no-pie', '-Wl,--gc-sections'])
    yield built(shop, 'g++ -shared', 'g++', ['-g', '-fPIC'], ['-shared'])
    yield built(shop, 'g++ -static', 'g++', ['-g'], ['-static'])


# ---------------------------------------------------------------------------------------------------- split DWARF

def packaged(shop, name, compiler, version):
    path = shop.program(name, compiler, [f'-gdwarf-{version}', '-gsplit-dwarf'])
    parts = sorted(glob.glob(os.path.join(glob.escape(os.path.dirname(path)), '*.dwo')))
    # The one of binutils knows GNU's packages of DWARF 4.
    run(['dwp' if (compiler, version) == ('g++', 4) else 'llvm-dwp', '-o', path + '.dwp', *parts], shop.source)
    return Flavour(path, hidden=tuple(parts))


def moved(shop, name):
    """The skeletons of split DWARF in a debug file, the package beside the program."""
    package = packaged(shop, name, 'clang++', 5)
    path = package.program
    reference = shutil.copy(path, path + '.reference')
    shutil.copy(path + '.dwp', reference + '.dwp')
    debug = path + '.debug'
    run(['objcopy', '--only-keep-debug', reference, debug])
    run(['strip', path])
    run(['objcopy', f'--add-gnu-debuglink={debug}', path])
    return Flavour(path, reference, hidden=package.hidden)


def relative(shop, name):
    path = shop.program(name, 'g++', ['-g', '-gsplit-dwarf', f'-fdebug-prefix-map={shop.source}=.'])
    return Flavour(path, folder=shop.source)


def splits(shop):
    for compiler in C_COMPILER:
        for version in (4, 5):
            yield built(shop, f'{compiler} DWARF {version}, .dwo', compiler, [f'-gdwarf-{version}', '-gsplit-dwarf'])
            yield made(packaged, shop, f'{compiler} DWARF {version}, .dwp', compiler, version)
    for compiler in C_COMPILER:
        yield built(shop, f'{compiler} -fdebug-types-section, .dwo', compiler, ['-g', '-gsplit-dwarf', '-fdebug-types-section'])
        yield built(shop, f'{compiler} -gz, .dwo', compiler, ['-g', '-gsplit-dwarf', '-gz'])
    yield made(relative, shop, 'g++, folder ".", .dwo')
    yield built(shop, 'clang++ -flto=thin, .dwo', 'clang++', ['-g', '-gsplit-dwarf', '-flto=thin'], ['-fuse-ld=lld'])
    yield made(moved, shop, '.dwp beside a stripped program')
    yield built(shop, 'clang++ -fsplit-dwarf-inlining, .dwo', 'clang++', ['-g', '-gsplit-dwarf', '-fsplit-dwarf-inlining'])


# ---------------------------------------------------------------------------------------------------- done to a program

def packed(shop, name, compiler, options):
    path = shop.copy(shop.plain(compiler), name)
    run(['objcopy', *options, path])
    return Flavour(path, shop.plain(compiler))


def linked_by_name(shop, name):
    path = shop.copy(shop.plain('g++'), name)
    debug = os.path.join(os.path.dirname(path), '.debug', 'agree.debug')
    os.makedirs(os.path.dirname(debug), exist_ok=True)
    run(['objcopy', '--only-keep-debug', '-R', '.note.gnu.build-id', shop.plain('g++'), debug])
    run(['strip', '-R', '.note.gnu.build-id', path])
    run(['objcopy', f'--add-gnu-debuglink={debug}', path])
    return Flavour(path, shop.plain('g++'))


def linked_by_build_id(shop, name):
    path, number = shop.copy(shop.plain('clang++'), name), Elf(shop.plain('clang++')).build_id()
    root = os.path.join(os.path.dirname(path), 'root')
    folder = os.path.join(root, 'usr/lib/debug/.build-id', number[:2])
    os.makedirs(folder, exist_ok=True)
    run(['objcopy', '--only-keep-debug', '--compress-debug-sections=zlib', path, f'{folder}/{number[2:]}.debug'])
    run(['strip', path])
    return Flavour(path, shop.plain('clang++'), options=(f'--sysroot={root}',))


def small_symbols(shop, name):
    """Fedora's way: symbols alone, packed by xz, in a section of the program."""
    path = shop.copy(shop.plain('g++'), name)
    run(['strip', '-g', '-o', path + '.reference', path])
    run(['objcopy', '--only-keep-debug', path + '.reference', path + '.small'])
    run(['xz', '-f', '-k', path + '.small'])
    run(['strip', path])
    run(['objcopy', f'--add-section=.gnu_debugdata={path}.small.xz', path])
    return Flavour(path, path + '.reference')


def stripped(shop, name, compiler, option):
    path = shop.program(name, compiler, ['-g', '-fPIC'], ['-shared'])
    run(['strip', option, path])
    return Flavour(path)


def shortened(shop, name):
    """By dwz, into a file that two programs share."""
    path = shop.program(name, 'g++', ['-gdwarf-4'])
    other = shop.program(name + '.other', 'g++', ['-gdwarf-4'], opt='-O1')
    reference = shutil.copy(path, path + '.reference')
    run(['dwz', '-m', path + '.common', '-M', path + '.common', path, other])
    return Flavour(path, reference)


def shortened_alone(shop, name):
    path = shop.copy(shop.plain('g++'), name)
    run(['dwz', path])
    return Flavour(path, shop.plain('g++'))


def packings(shop):
    for name, compiler, options in (
            ('zlib', 'g++', ['--compress-debug-sections=zlib']),
            ('zlib-gnu', 'clang++', ['--compress-debug-sections=zlib-gnu']),
            ('zstd', 'g++', ['--compress-debug-sections=zstd']),
            ('no .debug_aranges', 'g++', ['-R', '.debug_aranges'])):
        yield made(packed, shop, name, compiler, options)
    for name, build in (('debuglink', linked_by_name), ('build id under a sysroot', linked_by_build_id),
                        ('.gnu_debugdata', small_symbols), ('dwz -m', shortened), ('dwz', shortened_alone)):
        yield made(build, shop, name)
    for compiler in C_COMPILER:
        for option in ('-g', '-s'):
            yield made(stripped, shop, f'{compiler} -shared, strip {option}', compiler, option)


# ---------------------------------------------------------------------------------------------------- machines, languages

def alone(shop, name, command):
    """A part that needs no library, which another machine's compiler may not have."""
    path = shop.path(name)
    run([*command, '-g', '-DAGREE_ALONE', '-ffreestanding', '-nostdlib', '-static', '-o', path, 'plain.c'], shop.source)
    return Flavour(path)


def machines(shop):
    for compiler in ('aarch64-linux-gnu-gcc', 'arm-linux-gnueabihf-gcc', 'i686-linux-gnu-gcc'):
        for opt in ('-O0', '-O2'):
            yield made(alone, shop, f'{compiler} {opt}', [compiler, opt, '-fno-pie'])
    for compiler in ('aarch64-linux-gnu-gcc', 'arm-linux-gnueabihf-gcc'):
        yield made(alone, shop, f'{compiler}, strip -g', [compiler, '-O2', '-fno-pie', '-Wl,-S'])
    for machine in ('aarch64', 'aarch64_be', 'armv7', 'i386', 'riscv64', 'riscv32', 'mips', 'mips64', 'powerpc', 'powerpc64',
                    'powerpc64le'):
        yield made(alone, shop, f'clang --target={machine}, lld',
                   ['clang', f'--target={machine}-linux-gnu', '-O1', '-fuse-ld=lld', '-fno-pic'])


def rust(shop, name, options):
    path = shop.path(name)
    # What is unstable: the legacy mangling, since rustc 1.95, and the version of DWARF.
    run(['rustc', '-g', '-O', '-Zunstable-options', *options, '-o', path, 'closures.rs'], shop.source, RUSTC_BOOTSTRAP='1')
    return Flavour(path, most=8000)


def golang(shop, name, options):
    path = shop.path(name)
    run(['go', 'build', *options, '-o', path, 'words.go'], shop.source, GOCACHE=shop.path('go-cache', ''), GO111MODULE='off')
    return Flavour(path, most=8000)


def dlang(shop, name):
    path = shop.path(name)
    run(['gdc', '-g', '-O1', '-o', path, 'ranges.d'], shop.source)
    return Flavour(path)


def languages(shop):
    for name, options in (
            ('rustc v0', ['-Csymbol-mangling-version=v0']),
            ('rustc legacy', ['-Csymbol-mangling-version=legacy']),
            ('rustc DWARF 5, lto', ['-Zdwarf-version=5', '-Clto=fat', '-Ccodegen-units=1']),
            ('rustc, .dwo', ['-Csplit-debuginfo=unpacked']),
            ('rustc, .dwp', ['-Csplit-debuginfo=packed'])):
        yield made(rust, shop, name, options)
    yield made(golang, shop, 'go', [])
    yield made(golang, shop, 'go, not packed', ['-ldflags=-compressdwarf=false'])
    yield made(dlang, shop, 'gdc')


# ---------------------------------------------------------------------------------------------------- packages

INSTALLED = (
    ('/usr/bin/ceph-osd', 'ceph-osd, ceph-osd-dbg', 30000),
    ('/usr/lib/x86_64-linux-gnu/libc.so.6', 'libc6, libc6-dbg', 20000),
    ('/usr/lib/x86_64-linux-gnu/libm.so.6', 'libc6, libc6-dbg', 5000),
    ('/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2', 'libc6, libc6-dbg', 5000),
    ('/usr/lib/x86_64-linux-gnu/libstdc++.so.6', 'libstdc++6', 5000),
)


def installed(path, packages, most):
    if not os.path.exists(path):
        raise Missing(f'{path} (packages {packages})')
    number = Elf(path).build_id()
    debug = f'/usr/lib/debug/.build-id/{number[:2]}/{number[2:]}.debug'
    return Flavour(path, debug if os.path.exists(debug) else path, most=most)


def packages(shop):
    del shop
    for path, names, most in INSTALLED:
        yield f'{os.path.basename(path)} of {names}', functools.partial(installed, path, names, most)


# Few enough for each run of the suite, of compilers that it needs anyway.
QUICK = ('g++ DWARF 4, folder "."', 'clang++ -O2, DWARF 4', 'g++ -flto', 'g++ DWARF 5, .dwo', 'clang++ DWARF 5, .dwp', 'zlib-gnu',
         'zstd', 'no .debug_aranges', 'debuglink', 'build id under a sysroot', 'g++ -shared, strip -s')


def all_of(work):
    """(name, what builds it) of each flavour."""
    shop = Workshop(work)
    for group in (versions, compilations, linkers, splits, packings, machines, languages, packages):
        yield from group(shop)
