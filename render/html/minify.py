"""Takes comments, blanks and line ends out of script and style. In a script those line ends stay at which a semicolon could be
missing, for that is not for a tool to guess, and const becomes let, which is the same where nothing is assigned to it. What
it does not understand is a ValueError.
"""

import re

# ---- script ----

SPACE = re.compile(r'[ \t\r\n]+')
COMMENT = re.compile(r'//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/')
WORD = re.compile(r'[\w$#]+', re.ASCII)  # numbers, too
STRING = re.compile(r"'(?:[^'\\\n]|\\.)*'|" r'"(?:[^"\\\n]|\\.)*"')
REGEX = re.compile(r'/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*')
TEMPLATE = re.compile(r'(?:[^`\\$]|\\[\s\S]|\$(?!\{))*')  # up to its end, or ${
PUNCTUATION = '{}()[];,<>=!+-*/%&|^~?:.'
# Words that a value follows, so that a slash is not a division.
OPERATORS = set('return typeof case in of delete void throw new instanceof await yield else do'.split())
HEADS = {'if', 'while', 'for', 'with'}  # what is in parentheses behind them is no value
# No statement ends behind these for a line's end, and before } it ends without.
OPENING = set('{([,;')
SHORTER = {('word', 'const'): ('word', 'let')}
# Which blanks have a meaning: what is before and what is behind.
JOINING = {'++', '--', '//', '..', '<!', '?.', '/*'}


class Script:
    """The script in tokens: kind and text. The kinds are space (comments too), word, text (a string, or a part of a
    template), regex and punctuation, always one character but for ${."""

    def __init__(self, text):
        self.text, self.at, self.tokens = text, 0, []
        self.last = [('', ''), ('', '')]  # two tokens that are no spaces
        self.open = []  # for each bracket: itself, what a closing parenthesis closes, and '`' for a template's ${
        self.after_head = False  # the last parenthesis closed was that of an if and the like

    def fail(self, what):
        line = self.text.count('\n', 0, self.at) + 1
        raise ValueError(f'line {line}: {what}')

    def put(self, kind, text):
        self.tokens.append((kind, text))
        self.at += len(text)
        if kind != 'space':
            self.last = [self.last[1], self.tokens[-1]]

    def take(self, kind, pattern):
        match = pattern.match(self.text, self.at)
        if match:
            self.put(kind, match[0])
        return bool(match)

    def begins_regex(self):
        (_, earlier), (kind, last) = self.last
        if kind == 'punctuation':
            if last == '}' or (last == ')' and self.after_head) or (last in '+-' and earlier == last):
                self.fail(f'expected no slash behind {last}, where it could be a division or begin a pattern')
            return last not in ')]'
        return kind == '' or (kind == 'word' and last in OPERATORS and earlier != '.')

    def take_template(self):
        self.take('text', TEMPLATE)
        if self.text.startswith('${', self.at):
            self.open.append(('${', False))
            self.put('punctuation', '${')
        elif self.text.startswith('`', self.at):
            self.put('text', '`')
        else:
            self.fail('expected the end of a template')

    def close(self, bracket):
        if not self.open:
            self.fail(f'expected no {bracket}')
        opened, is_head = self.open.pop()
        if {'{': '}', '${': '}', '(': ')', '[': ']'}[opened] != bracket:
            self.fail(f'expected what closes {opened}, found {bracket}')
        self.after_head = is_head
        if opened == '${':
            self.put('text', bracket)
            self.take_template()
        else:
            self.put('punctuation', bracket)

    def take_punctuation(self, char):
        if char in '})]':
            self.close(char)
            return
        if char in '{([':
            self.open.append((char, char == '(' and self.last[1][1] in HEADS))
        self.put('punctuation', char)

    def take_next(self):
        char = self.text[self.at]
        if self.take('space', SPACE) or self.take('space', COMMENT) or self.take('word', WORD):
            return
        if char in '\'"':
            if not self.take('text', STRING):
                self.fail('expected the end of a string')
        elif char == '`':
            self.put('text', char)
            self.take_template()
        elif char == '/' and self.begins_regex():
            if not self.take('regex', REGEX):
                self.fail('expected a pattern')
        elif char in PUNCTUATION:
            self.take_punctuation(char)
        else:
            self.fail(f'expected script, found {char!r}')

    def read(self):
        while self.at < len(self.text):
            self.take_next()
        if self.open:
            self.fail(f'expected what closes {self.open[-1][0]}')
        return self.tokens


def needs_blank(before, behind):
    """Whether two tokens would become others without a blank."""
    is_word = behind[0] == 'word'
    if before[0] in ('word', 'regex') and is_word:
        return True
    if before[0] == 'word' and before[1][0].isdigit() and behind[1] == '.':
        return True
    return before[1][-1:] + behind[1][:1] in JOINING


def needs_line_end(before, behind):
    return not (before[0] == 'punctuation' and before[1] in OPENING) and behind != ('punctuation', '}')


def minify_script(text):
    out, space = [('', '')], ''
    for token in Script(text).read():
        if token[0] == 'space':
            space += token[1]
            continue
        if '\n' in space and len(out) > 1 and needs_line_end(out[-1], token):
            out.append(('space', '\n'))
        elif space and needs_blank(out[-1], token):
            out.append(('space', ' '))
        out.append(SHORTER.get(token, token))
        space = ''
    return ''.join(text for _, text in out) + '\n' * (len(out) > 1)


# ---- style ----

STYLE = re.compile(r'''(?P<space>(?:\s|/\*(?:[^*]|\*(?!/))*\*/)+)|(?P<text>'[^'\\\n]*(?:\\.[^'\\\n]*)*'|"[^"\\\n]*(?:\\.[^"\\\n]*)*")'''
                   r'''|(?P<mark>[{};,>:])|(?P<word>[^\s{};,>:'"\\/]+|/(?!\*))''', re.ASCII)
MARKS = '{};,>'


def style_tokens(text):
    at = 0
    while at < len(text):
        match = STYLE.match(text, at)
        if not match or re.search(r'url\((?!#)', match[0], re.IGNORECASE):
            line = text.count('\n', 0, at) + 1
            raise ValueError(f'line {line}: expected style, found {text[at:at + 10]!r}')
        yield match.lastgroup, match[0]
        at = match.end()


def minify_style(text):
    """A line for each rule. A blank before a colon may stand between two parts of a selector; one behind it says nothing."""
    out, space, depth = '', '', 0
    for kind, token in style_tokens(text):
        if kind == 'space':
            space = token
            continue
        depth += (token == '{') - (token == '}')
        if depth < 0:
            raise ValueError('expected no }')
        if token == '}':
            out = out.removesuffix(';')
        elif out.endswith('}'):
            out += '\n'
        elif space and token not in MARKS and out and out[-1] not in MARKS + ':':
            out += ' '
        out += token
        space = ''
    if depth:
        raise ValueError('expected what closes {')
    return out + '\n' * bool(out)
