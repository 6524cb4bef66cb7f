#include "symbolize/cplusplus.h"

#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_DEEPEST = 1024 };

/* ---- libiberty's tree ---- */

struct tree {
	struct demangle_component *nodes; /* the block that holds them all */
	struct demangle_component *root;
	size_t n_most;
};

static unsigned children(struct demangle_component *node, struct demangle_component *ret[2])
{
	unsigned n = 0;

	switch (node->type) {
	case DEMANGLE_COMPONENT_NAME:
	case DEMANGLE_COMPONENT_TEMPLATE_PARAM:
	case DEMANGLE_COMPONENT_FUNCTION_PARAM:
	case DEMANGLE_COMPONENT_SUB_STD:
	case DEMANGLE_COMPONENT_BUILTIN_TYPE:
	case DEMANGLE_COMPONENT_EXTENDED_BUILTIN_TYPE:
	case DEMANGLE_COMPONENT_OPERATOR:
	case DEMANGLE_COMPONENT_CHARACTER:
	case DEMANGLE_COMPONENT_NUMBER:
	case DEMANGLE_COMPONENT_UNNAMED_TYPE:
		return 0;
	case DEMANGLE_COMPONENT_FIXED_TYPE:
		ret[n] = node->u.s_fixed.length;
		break;
	case DEMANGLE_COMPONENT_CTOR:
		ret[n] = node->u.s_ctor.name;
		break;
	case DEMANGLE_COMPONENT_DTOR:
		ret[n] = node->u.s_dtor.name;
		break;
	case DEMANGLE_COMPONENT_EXTENDED_OPERATOR:
		ret[n] = node->u.s_extended_operator.name;
		break;
	case DEMANGLE_COMPONENT_LAMBDA:
	case DEMANGLE_COMPONENT_DEFAULT_ARG:
		ret[n] = node->u.s_unary_num.sub;
		break;
	default:
		ret[n] = node->u.s_binary.left;
		n += ret[n] != NULL;
		ret[n] = node->u.s_binary.right;
		break;
	}
	return n + (ret[n] != NULL);
}

static size_t index_of(const struct tree *tree, const struct demangle_component *node)
{
	return (size_t)(node - tree->nodes);
}

struct measure {
	uint32_t n_templates, n_references;
	bool has_pack;
	uint32_t n_expanded; /* nodes when each use of a shared one is counted; saturates */
};

static void measure_node(struct measure *m, const struct demangle_component *node)
{
	m->n_templates += node->type == DEMANGLE_COMPONENT_TEMPLATE;
	m->has_pack |= node->type == DEMANGLE_COMPONENT_PACK_EXPANSION;
	if (node->type == DEMANGLE_COMPONENT_REFERENCE || node->type == DEMANGLE_COMPONENT_RVALUE_REFERENCE)
		m->n_references += node->u.s_binary.left && node->u.s_binary.left->type == DEMANGLE_COMPONENT_TEMPLATE_PARAM;
}

/* Children first, so that the sizes of shared nodes are added and not walked again. */
static struct measure measure(const struct tree *tree, struct demangle_component *root)
{
	enum { OPEN = 1 };
	struct measure m = {0};
	uint32_t *CLEANUP(mem_free_local) sizes = mem_zalloc(tree->n_most, sizeof *sizes);
	struct demangle_component **CLEANUP(mem_free_local) stack = mem_alloc(2 * tree->n_most + 2, sizeof *stack);
	size_t depth = 0;

	stack[depth++] = root;
	while (depth) {
		struct demangle_component *kids[2], *node = stack[depth - 1];
		unsigned n = children(node, kids);
		uint32_t *size = &sizes[index_of(tree, node)];
		uint32_t sum = 2;

		if (*size == 0) {
			*size = OPEN;
			measure_node(&m, node);
			for (unsigned i = 0; i < n; i++)
				if (sizes[index_of(tree, kids[i])] == 0)
					stack[depth++] = kids[i];
			continue;
		}
		depth--;
		for (unsigned i = 0; i < n; i++)
			if (__builtin_add_overflow(sum, sizes[index_of(tree, kids[i])], &sum))
				sum = UINT32_MAX;
		if (*size == OPEN)
			*size = sum;
	}
	m.n_expanded = sizes[index_of(tree, root)];
	return m;
}

/* The printer keeps templates times references on the stack, and searches a whole expanded subtree at each pack
 * expansion. Names of real programs stay far below both. */
static bool is_tame(const struct tree *tree, struct demangle_component *root)
{
	static const uint64_t MOST_SAVED = 16384, MOST_EXPANDED = 65536;
	struct measure m = measure(tree, root);

	return (uint64_t)m.n_templates * m.n_references <= MOST_SAVED && (!m.has_pack || m.n_expanded <= MOST_EXPANDED);
}

/* The printer allocates nothing, so leaving it by a jump loses nothing. */
static bool print_tree(const struct tree *tree, struct demangle_component *root, int options, struct capped *text)
{
	if (!is_tame(tree, root))
		return false;
	if (setjmp(text->full))
		return true;
	return cplus_demangle_print_callback(options, root, capped_add_or_leave, text) != 0;
}

/* cplus_demangle_v3_components of 2023 forgets to set one field of its state, which decides how "sr" expressions are
 * read (non-zero: the newer mangling). What lies on the stack below is made the same for each call. */
static __attribute__((noinline)) void fill_stack(int value)
{
	volatile int area[512];

	for (size_t i = 0; i < sizeof area / sizeof *area; i++)
		area[i] = value;
}

static struct demangle_component *parse_as(const char *name, int options, int unresolved_name_state, void **block)
{
	fill_stack(unresolved_name_state);
	return cplus_demangle_v3_components(name, options, block);
}

/* Below a conversion operator the parser reads each T_I..E twice, so nested ones cost 2^n. */
static bool has_many_conversions(const char *name)
{
	enum { MOST = 6 };
	unsigned n = 0;

	if (!strstr(name, "cv"))
		return false;
	for (const char *at = name; (at = strstr(at, "_I")); at += 2) {
		const char *digit = at;

		while (digit > name && ((digit[-1] >= '0' && digit[-1] <= '9') || (digit[-1] >= 'A' && digit[-1] <= 'S')))
			digit--;
		n += digit > name && digit[-1] == 'T';
	}
	return n > MOST;
}

static bool tree_parse(const char *name, int options, struct tree *ret)
{
	void *block;

	if (has_many_conversions(name))
		return false;
	ret->root = parse_as(name, options, 1, &block);
	if (!ret->root && strstr(name, "sr"))
		ret->root = parse_as(name, options, 0, &block);
	if (!ret->root)
		return false;
	ret->nodes = block;
	ret->n_most = 2 * strlen(name);
	return true;
}

static bool print_name(const char *name, int options, struct capped *text)
{
	struct tree tree;

	if (!tree_parse(name, options, &tree))
		return false;
	bool is_whole = print_tree(&tree, tree.root, options, text);
	free(tree.nodes);
	return is_whole;
}

bool cplusplus_full(const char *name, struct capped *text)
{
	return print_name(name, DMGL_PARAMS | DMGL_ANSI, text);
}

bool cplusplus_templates(const char *name, struct capped *text)
{
	return print_name(name, 0, text);
}

/* ---- the short name, printed from the tree ---- */

struct short_name {
	struct tree *tree;
	struct capped *text;
	struct demangle_component *args; /* of the template whose name is being printed */
	unsigned depth;
	bool is_bad;
};

static void add_name(struct short_name *s, struct demangle_component *node);

static struct demangle_component *nth_argument(struct demangle_component *args, long n)
{
	for (; args && args->type == DEMANGLE_COMPONENT_TEMPLATE_ARGLIST; args = args->u.s_binary.right)
		if (n-- == 0)
			return args->u.s_binary.left;
	return NULL;
}

static void strip_node(struct demangle_component *node, struct demangle_component *args)
{
	enum { MOST_STEPS = 8 };

	for (int i = 0; i < MOST_STEPS; i++) {
		struct demangle_component *other = NULL;

		if (node->type == DEMANGLE_COMPONENT_TEMPLATE)
			other = node->u.s_binary.left;
		else if (node->type == DEMANGLE_COMPONENT_TEMPLATE_PARAM)
			other = nth_argument(args, node->u.s_number.number);
		if (!other || other == node || other->type == DEMANGLE_COMPONENT_TEMPLATE_ARGLIST)
			return;
		*node = *other;
	}
}

/* Takes the template arguments off all types below root, and puts args in place of the template's parameters. */
static void strip_templates(const struct tree *tree, struct demangle_component *root, struct demangle_component *args)
{
	bool *CLEANUP(mem_free_local) seen = mem_zalloc(tree->n_most, sizeof *seen);
	struct demangle_component **CLEANUP(mem_free_local) stack = mem_alloc(tree->n_most + 2, sizeof *stack);
	size_t depth = 0;

	seen[index_of(tree, root)] = true;
	stack[depth++] = root;
	while (depth) {
		struct demangle_component *kids[2], *node = stack[--depth];

		strip_node(node, args);
		for (unsigned i = 0, n = children(node, kids); i < n; i++) {
			bool *is_seen = &seen[index_of(tree, kids[i])];

			if (!*is_seen)
				stack[depth++] = kids[i];
			*is_seen = true;
		}
	}
}

static void add_printed(struct short_name *s, struct demangle_component *node)
{
	if (s->text->is_cut)
		return;
	if (!print_tree(s->tree, node, 0, s->text))
		s->is_bad = true;
}

static void add_type(struct short_name *s, struct demangle_component *node, struct demangle_component *args)
{
	strip_templates(s->tree, node, args);
	add_printed(s, node);
}

/* Of a function that something is local to only "()" is left of its parameters. */
static void add_scope(struct short_name *s, struct demangle_component *node)
{
	add_name(s, node);
	if (node->type == DEMANGLE_COMPONENT_TYPED_NAME)
		capped_add_string(s->text, "()");
	capped_add_string(s->text, "::");
}

static void add_local(struct short_name *s, struct demangle_component *node)
{
	add_scope(s, node->u.s_binary.left);
	node = node->u.s_binary.right;
	if (node->type == DEMANGLE_COMPONENT_DEFAULT_ARG) {
		capped_add_string(s->text, "{default arg}::");
		node = node->u.s_unary_num.sub;
	}
	add_name(s, node);
}

static void add_template(struct short_name *s, struct demangle_component *node)
{
	struct demangle_component *outer = s->args;

	s->args = node->u.s_binary.right;
	add_name(s, node->u.s_binary.left);
	s->args = outer;
}

static void add_std(struct short_name *s, const struct demangle_component *node)
{
	const char *string = node->u.s_string.string;
	size_t n = (size_t)node->u.s_string.len;
	const char *args = memchr(string, '<', n);

	capped_add(s->text, string, args ? (size_t)(args - string) : n);
}

static const char *special_prefix(enum demangle_component_type type)
{
	static const struct {
		enum demangle_component_type type;
		const char *prefix;
	} PREFIXES[] = {
		{DEMANGLE_COMPONENT_VTABLE, "vtable for "},
		{DEMANGLE_COMPONENT_VTT, "VTT for "},
		{DEMANGLE_COMPONENT_CONSTRUCTION_VTABLE, "construction vtable for "},
		{DEMANGLE_COMPONENT_TYPEINFO, "typeinfo for "},
		{DEMANGLE_COMPONENT_TYPEINFO_NAME, "typeinfo name for "},
		{DEMANGLE_COMPONENT_TYPEINFO_FN, "typeinfo fn for "},
		{DEMANGLE_COMPONENT_THUNK, "non-virtual thunk to "},
		{DEMANGLE_COMPONENT_VIRTUAL_THUNK, "virtual thunk to "},
		{DEMANGLE_COMPONENT_COVARIANT_THUNK, "covariant return thunk to "},
		{DEMANGLE_COMPONENT_GUARD, "guard variable for "},
		{DEMANGLE_COMPONENT_TLS_INIT, "TLS init function for "},
		{DEMANGLE_COMPONENT_TLS_WRAPPER, "TLS wrapper function for "},
		{DEMANGLE_COMPONENT_REFTEMP, "reference temporary for "},
		{DEMANGLE_COMPONENT_HIDDEN_ALIAS, "hidden alias for "},
		{DEMANGLE_COMPONENT_TRANSACTION_CLONE, "transaction clone for "},
		{DEMANGLE_COMPONENT_NONTRANSACTION_CLONE, "non-transaction clone for "},
	};

	for (size_t i = 0; i < sizeof PREFIXES / sizeof *PREFIXES; i++)
		if (PREFIXES[i].type == type)
			return PREFIXES[i].prefix;
	return NULL;
}

static void add_other(struct short_name *s, struct demangle_component *node)
{
	const char *prefix = special_prefix(node->type);

	if (!prefix) {
		add_type(s, node, NULL);
		return;
	}
	capped_add_string(s->text, prefix);
	add_name(s, node->u.s_binary.left);
}

static void add_by_type(struct short_name *s, struct demangle_component *node)
{
	switch (node->type) {
	case DEMANGLE_COMPONENT_NAME:
		capped_add(s->text, node->u.s_name.s, (size_t)node->u.s_name.len);
		return;
	case DEMANGLE_COMPONENT_SUB_STD:
		add_std(s, node);
		return;
	case DEMANGLE_COMPONENT_QUAL_NAME:
		add_name(s, node->u.s_binary.left);
		capped_add_string(s->text, "::");
		add_name(s, node->u.s_binary.right);
		return;
	case DEMANGLE_COMPONENT_LOCAL_NAME:
		add_local(s, node);
		return;
	case DEMANGLE_COMPONENT_TEMPLATE:
		add_template(s, node);
		return;
	case DEMANGLE_COMPONENT_CTOR:
		add_name(s, node->u.s_ctor.name);
		return;
	case DEMANGLE_COMPONENT_DTOR:
		capped_add_string(s->text, "~");
		add_name(s, node->u.s_dtor.name);
		return;
	case DEMANGLE_COMPONENT_CONVERSION:
		capped_add_string(s->text, "operator ");
		add_type(s, node->u.s_binary.left, s->args);
		return;
	case DEMANGLE_COMPONENT_TAGGED_NAME:
		add_name(s, node->u.s_binary.left);
		capped_add_string(s->text, "[abi:");
		add_name(s, node->u.s_binary.right);
		capped_add_string(s->text, "]");
		return;
	case DEMANGLE_COMPONENT_TYPED_NAME:
	case DEMANGLE_COMPONENT_CLONE:
	case DEMANGLE_COMPONENT_RESTRICT_THIS:
	case DEMANGLE_COMPONENT_VOLATILE_THIS:
	case DEMANGLE_COMPONENT_CONST_THIS:
	case DEMANGLE_COMPONENT_REFERENCE_THIS:
	case DEMANGLE_COMPONENT_RVALUE_REFERENCE_THIS:
	case DEMANGLE_COMPONENT_TRANSACTION_SAFE:
	case DEMANGLE_COMPONENT_NOEXCEPT:
	case DEMANGLE_COMPONENT_THROW_SPEC:
		add_name(s, node->u.s_binary.left);
		return;
	default:
		add_other(s, node);
	}
}

static void add_name(struct short_name *s, struct demangle_component *node)
{
	if (!node || s->depth >= NAME_DEEPEST)
		s->is_bad = true;
	if (s->is_bad || s->text->is_cut)
		return;
	s->depth++;
	add_by_type(s, node);
	s->depth--;
}

/* Without DMGL_PARAMS the parser stops after the name: the rest is neither read nor checked. */
bool cplusplus_short(const char *name, struct capped *text)
{
	struct tree tree;
	struct short_name s = {.tree = &tree, .text = text};

	if (!tree_parse(name, 0, &tree))
		return false;
	add_name(&s, tree.root);
	free(tree.nodes);
	return !s.is_bad && text->n > 0;
}
