#include "symbolize/symbols.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

/* A function, or a datum among them, which only bounds those without a size. */
struct entry {
	const char *name;
	uint64_t vaddr, end;
	/* Which only matters where sections overlap, in what was not linked; 0 beside mini debug info, which has numbers of
	 * its own. */
	uint32_t section;
	uint8_t binding_rank; /* 0 global, 1 weak, 2 local */
	bool is_sized, is_data;
};

/* Ranges of addresses that do not overlap, each with the innermost entry that covers it: an address is one binary
 * search, however the symbols nest. */
struct range {
	uint64_t start, end;
	uint32_t entry;
};

struct symbols {
	const struct sections *sections, *mini;
	uint16_t machine;
	struct entry *entries;
	uint32_t n_entries, cap_entries;
	struct range *ranges;
	uint32_t n_ranges, cap_ranges;
};

/* ---- the table ---- */

struct table {
	const struct sections *sections;
	Elf_Data *symbols, *long_indices;
	struct strings names;
	size_t n;
};

static Elf_Data *long_indices_of(const struct sections *sections, uint32_t symtab)
{
	for (uint32_t i = 1; i < sections->n; i++) {
		Elf_Scn *scn = elf_getscn(sections->elf, i);
		GElf_Shdr shdr;

		if (sections->at[i].type == SHT_SYMTAB_SHNDX && gelf_getshdr(scn, &shdr) && shdr.sh_link == symtab)
			return elf_getdata(scn, NULL);
	}
	return NULL;
}

static bool table_open(const struct sections *sections, uint32_t number, struct table *ret)
{
	GElf_Shdr shdr;

	if (!number)
		return false;
	Elf_Scn *scn = elf_getscn(sections->elf, number);
	if (!gelf_getshdr(scn, &shdr) || shdr.sh_entsize == 0 ||
	    !strings_read(elf_getscn(sections->elf, shdr.sh_link), &ret->names))
		return false;
	ret->sections = sections;
	ret->symbols = elf_getdata(scn, NULL);
	ret->long_indices = long_indices_of(sections, number);
	ret->n = ret->symbols ? ret->symbols->d_size / gelf_fsize(sections->elf, ELF_T_SYM, 1, EV_CURRENT) : 0;
	return ret->n > 0;
}

static bool is_function(const struct symbols *symbols, unsigned type)
{
	enum { STT_ARM_TFUNC_ = 13 };

	return type == STT_FUNC || type == STT_GNU_IFUNC || (type == STT_ARM_TFUNC_ && symbols->machine == EM_ARM);
}

/* Labels are symbols without a type: those of hand-written assembly are functions, those that the assembler leaves
 * behind ($x, $d on ARM and RISC-V; .L where the linker relaxes) are not. */
static bool is_local_label(const struct symbols *symbols, const char *name)
{
	bool has_mapping = symbols->machine == EM_ARM || symbols->machine == EM_AARCH64 || symbols->machine == EM_RISCV ||
	                   symbols->machine == EM_CSKY;

	return (name[0] == '.' && name[1] == 'L') || (has_mapping && name[0] == '$' && name[1] >= 'a' && name[1] <= 'z');
}

static uint8_t binding_rank(unsigned binding)
{
	if (binding == STB_LOCAL)
		return 2;
	return binding == STB_WEAK;
}

/* The section of code that the symbol lies in; 0 when it is no name of code. */
static uint32_t section_of(const struct symbols *symbols, const struct table *table, const GElf_Sym *sym,
                           uint32_t long_index, const char *name)
{
	unsigned type = GELF_ST_TYPE(sym->st_info);
	uint32_t number = sym->st_shndx == SHN_XINDEX ? long_index : sym->st_shndx < SHN_LORESERVE ? sym->st_shndx : 0;

	if (number >= table->sections->n || !table->sections->at[number].is_code || !*name)
		return 0;
	if (type == STT_SECTION || type == STT_FILE || (type == STT_NOTYPE && is_local_label(symbols, name)))
		return 0;
	return number;
}

static void add_entry(struct symbols *symbols, const struct table *table, size_t i)
{
	GElf_Word long_index = 0;
	GElf_Sym sym;

	if (!gelf_getsymshndx(table->symbols, table->long_indices, (int)i, &sym, &long_index))
		return;
	unsigned type = GELF_ST_TYPE(sym.st_info);
	const char *name = strings_at(&table->names, sym.st_name);
	uint32_t number = section_of(symbols, table, &sym, long_index, name);
	const struct section *section = &table->sections->at[number];
	uint64_t vaddr = sym.st_value;
	if (symbols->machine == EM_ARM && is_function(symbols, type))
		vaddr &= ~(uint64_t)1; /* the bit that says Thumb */
	if (!number || vaddr < section->vaddr || vaddr - section->vaddr >= section->size)
		return;
	uint64_t room = section->size - (vaddr - section->vaddr);
	MEM_GROW(symbols->entries, symbols->n_entries, symbols->cap_entries);
	symbols->entries[symbols->n_entries++] = (struct entry){
		.name = name,
		.vaddr = vaddr,
		.end = vaddr + (sym.st_size > 0 && sym.st_size < room ? sym.st_size : room),
		.section = symbols->mini ? 0 : number,
		.binding_rank = binding_rank(GELF_ST_BIND(sym.st_info)),
		.is_sized = sym.st_size > 0,
		.is_data = !is_function(symbols, type) && type != STT_NOTYPE,
	};
}

/* ---- what covers what ---- */

/* Symbols may share a name of megabytes, or the end of one: only so much of it is compared. */
enum { COMPARED = 4096 };

static size_t n_underscores(const char *name)
{
	size_t n = 0;

	while (n < COMPARED && name[n] == '_')
		n++;
	return n;
}

static int compare_names(const char *a, const char *b)
{
	size_t a_underscores = n_underscores(a), b_underscores = n_underscores(b);

	if (a_underscores != b_underscores)
		return a_underscores < b_underscores ? -1 : 1;
	int order = strncmp(a, b, COMPARED);
	return order ? order : (a > b) - (a < b);
}

/* By address; at one address the best name last, on top of the others. */
static int compare_entries(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;

	if (a->vaddr != b->vaddr)
		return a->vaddr < b->vaddr ? -1 : 1;
	if (a->binding_rank != b->binding_rank)
		return a->binding_rank > b->binding_rank ? -1 : 1;
	int order = compare_names(b->name, a->name);
	if (order)
		return order;
	if (a->end != b->end)
		return a->end < b->end ? -1 : 1;
	return a->is_data - b->is_data;
}

/* An entry without a size ends where the next one of its section begins. */
static void bound_sizeless(struct symbols *symbols)
{
	uint64_t *CLEANUP(mem_free_local) next = mem_zalloc(symbols->sections->n, sizeof *next);
	uint32_t group_end = symbols->n_entries;

	for (uint32_t i = symbols->n_entries; i-- > 0;) {
		struct entry *entry = &symbols->entries[i];

		if (!entry->is_sized && next[entry->section] && next[entry->section] < entry->end)
			entry->end = next[entry->section];
		if (i > 0 && symbols->entries[i - 1].vaddr == entry->vaddr)
			continue;
		for (uint32_t k = i; k < group_end; k++)
			next[symbols->entries[k].section] = entry->vaddr;
		group_end = i;
	}
}

static uint32_t group_end(const struct symbols *symbols, uint32_t start)
{
	uint32_t end = start + 1;

	while (end < symbols->n_entries && symbols->entries[end].vaddr == symbols->entries[start].vaddr)
		end++;
	return end;
}

/* A label inside a function that has a size does not take the rest of the function from it. */
static void drop_data_and_inner_labels(struct symbols *symbols)
{
	uint64_t covered = 0;
	uint32_t n = 0;

	for (uint32_t i = 0, end; i < symbols->n_entries; i = end) {
		end = group_end(symbols, i);
		for (uint32_t k = i; k < end; k++)
			if (symbols->entries[k].is_sized && !symbols->entries[k].is_data && symbols->entries[k].end > covered)
				covered = symbols->entries[k].end;
		for (uint32_t k = i; k < end; k++)
			if (!symbols->entries[k].is_data && (symbols->entries[k].is_sized || symbols->entries[k].vaddr >= covered))
				symbols->entries[n++] = symbols->entries[k];
	}
	symbols->n_entries = n;
}

static void add_range(struct symbols *symbols, uint64_t start, uint64_t end, uint32_t entry)
{
	MEM_GROW(symbols->ranges, symbols->n_ranges, symbols->cap_ranges);
	symbols->ranges[symbols->n_ranges++] = (struct range){start, end, entry};
}

/* The entries that are open at a place, by their starts: the top is the innermost one. */
struct open {
	uint32_t *entries;
	uint32_t n;
	uint64_t at;
};

static void emit_until(struct symbols *symbols, struct open *open, uint64_t until)
{
	while (open->n && open->at < until) {
		uint32_t top = open->entries[open->n - 1];
		uint64_t end = symbols->entries[top].end;

		if (end > until)
			end = until;
		else
			open->n--;
		if (end > open->at) {
			add_range(symbols, open->at, end, top);
			open->at = end;
		}
	}
}

static void make_ranges(struct symbols *symbols)
{
	uint32_t *CLEANUP(mem_free_local) stack = mem_alloc(symbols->n_entries, sizeof *stack);
	struct open open = {.entries = stack};

	for (uint32_t i = 0; i < symbols->n_entries; i++) {
		emit_until(symbols, &open, symbols->entries[i].vaddr);
		open.at = symbols->entries[i].vaddr;
		open.entries[open.n++] = i;
	}
	emit_until(symbols, &open, UINT64_MAX);
}

/* ---- open, ask, close ---- */

static void read_table(struct symbols *symbols, const struct sections *sections, uint32_t number)
{
	enum { MOST = INT32_MAX };
	struct table table;

	if (!table_open(sections, number, &table))
		return;
	for (size_t i = 1; i < table.n && i < MOST; i++)
		add_entry(symbols, &table, i);
}

static void sort_out(struct symbols *symbols)
{
	if (symbols->n_entries == 0)
		return;
	qsort(symbols->entries, symbols->n_entries, sizeof *symbols->entries, compare_entries);
	bound_sizeless(symbols);
	drop_data_and_inner_labels(symbols);
	make_ranges(symbols);
}

struct symbols *symbols_new(const struct sections *sections, const struct sections *mini, uint16_t machine)
{
	struct symbols *symbols = mem_zalloc(1, sizeof *symbols);
	uint32_t symtab = sections_of_type(sections, SHT_SYMTAB);

	symbols->sections = sections;
	symbols->mini = mini;
	symbols->machine = machine;
	read_table(symbols, sections, symtab ? symtab : sections_of_type(sections, SHT_DYNSYM));
	if (mini)
		read_table(symbols, mini, sections_of_type(mini, SHT_SYMTAB));
	sort_out(symbols);
	return symbols;
}

void symbols_free(struct symbols *symbols)
{
	if (!symbols)
		return;
	free(symbols->entries);
	free(symbols->ranges);
	free(symbols);
}

static const struct range *range_at(const struct symbols *symbols, uint64_t vaddr)
{
	uint32_t low = 0, high = symbols->n_ranges;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (symbols->ranges[middle].end <= vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	return low < symbols->n_ranges && symbols->ranges[low].start <= vaddr ? &symbols->ranges[low] : NULL;
}

bool symbols_at(const struct symbols *symbols, uint64_t vaddr, struct symbol *ret)
{
	const struct range *range = range_at(symbols, vaddr);

	if (!range)
		return false;
	const struct entry *entry = &symbols->entries[range->entry];
	*ret = (struct symbol){entry->name, entry->vaddr, entry->end - entry->vaddr};
	return true;
}
