#include "analyze/read/readable.h"

#include <string.h>

static const char anonymous[] = "(anonymous namespace)";

/* " [clone .part.0]" of the linker, and what may stand behind the parameters. */
static struct span without_qualifiers(struct span name)
{
	static const char *const words[] = {" const", " volatile", " &", " &&", " noexcept", "&", " "};
	const char *clone = memmem(name.at, span_length(&name), " [clone ", 8);

	if (clone)
		name.end = clone;
	for (size_t i = 0; i < sizeof words / sizeof *words;) {
		bool found = span_ends(&name, words[i]);

		if (found)
			name.end -= strlen(words[i]);
		i = found ? 0 : i + 1;
	}
	return name;
}

/* Where the parentheses that end the text begin; NULL: it has none. Those of "operator()" are no parameters. */
static const char *find_parameters(struct span text)
{
	unsigned depth = 0;

	if (text.at == text.end || text.end[-1] != ')' || span_ends(&text, "operator()"))
		return NULL;
	for (const char *at = text.end; at > text.at; at--) {
		depth += at[-1] == ')';
		depth -= at[-1] == '(';
		if (depth == 0)
			return at - 1;
	}
	return NULL;
}

/* Behind the bracket that closes the one at *at; NULL: none does. Arrows are no brackets, and neither are the
 * comparisons between parentheses. */
static const char *behind_group(const char *at, const char *end)
{
	char open = *at, close = open == '<' ? '>' : ')';
	unsigned depth = 0, inner = 0;

	for (; at < end; at++) {
		if (open == '<' && (*at == '(' || *at == ')'))
			inner += *at == '(' ? 1 : inner ? -1u : 0;
		else if (!inner && *at == open)
			depth++;
		else if (!inner && *at == close && at[-1] != '-' && --depth == 0)
			return at + 1;
	}
	return NULL;
}

struct writer {
	struct span in;
	const char *begin; /* of in */
	char *text, *to;
	char *name; /* where the name proper begins: what is in front is the return type */
	unsigned braces;
};

static bool at_operator(const struct writer *w)
{
	static const char word[] = "operator";

	if (!span_starts(&w->in, word) || (w->in.at > w->begin && span_is_name_char(w->in.at[-1])))
		return false;
	const char *behind = w->in.at + sizeof word - 1;
	return behind == w->in.end || !span_is_name_char(*behind);
}

static void copy(struct writer *w, size_t length)
{
	memcpy(w->to, w->in.at, length);
	w->to += length;
	w->in.at += length;
}

/* How much of the text is the sign of an operator: behind a "<" that is none of "<" and "<<" template arguments begin. */
static size_t sign_length(struct span text)
{
	size_t n = 0;

	if (span_starts(&text, "()"))
		return 2;
	while (text.at + n < text.end && text.at[n] != '\0' && strchr("<>=!+-*/%^&|~,[]", text.at[n])) {
		if (text.at[n] == '<' && n > 0 && (n > 1 || *text.at != '<'))
			break;
		n++;
	}
	return n;
}

/* "operator<", "operator()", "operator new[]", "operator bool": the sign is no bracket, the blank ends no type. */
static void take_operator(struct writer *w)
{
	copy(w, strlen("operator"));
	copy(w, sign_length(w->in));
	while (w->in.at < w->in.end && *w->in.at != '<' && *w->in.at != '(' && !span_starts(&w->in, "::"))
		copy(w, 1);
	while (w->to > w->text && w->to[-1] == ' ')
		w->to--;
}

/* "(anonymous namespace)" is a name; of parameters "()" is left, of template arguments nothing. False: no group. */
static bool take_group(struct writer *w)
{
	bool is_args = *w->in.at == '<';
	const char *behind = behind_group(w->in.at, w->in.end);

	if (!behind)
		return false;
	if (span_starts(&w->in, anonymous)) {
		copy(w, sizeof anonymous - 1);
		return true;
	}
	w->in.at = behind;
	if (!is_args) {
		*w->to++ = '(';
		*w->to++ = ')';
		span_word(&w->in, " const");
	}
	return true;
}

static void take_char(struct writer *w)
{
	w->braces += *w->in.at == '{';
	w->braces -= *w->in.at == '}' && w->braces;
	copy(w, 1);
	if (w->to[-1] == ' ' && !w->braces)
		w->name = w->to;
}

static bool shorten(struct writer *w)
{
	while (w->in.at < w->in.end) {
		if (at_operator(w))
			take_operator(w);
		else if (*w->in.at != '<' && *w->in.at != '(')
			take_char(w);
		else if (!take_group(w))
			return false;
	}
	return w->to > w->name && (*w->name != '(' || span_starts(&(struct span){w->name, w->to}, anonymous));
}

static void copy_whole(struct span name, char *text)
{
	memcpy(text, name.at, span_length(&name));
	text[span_length(&name)] = '\0';
}

void readable_short(struct span name, char *text)
{
	struct span typed = without_qualifiers(name);
	const char *parameters = find_parameters(typed);

	/* Rust's "<A as B>::f" and Go's "main.(*T).f" end otherwise. */
	if (!parameters || parameters == name.at) {
		copy_whole(name, text);
		return;
	}
	struct writer w = {{name.at, parameters}, name.at, text, text, text, 0};
	if (!shorten(&w)) {
		copy_whole(name, text);
		return;
	}
	*w.to = '\0';
	memmove(text, w.name, (size_t)(w.to - w.name) + 1);
}
