#include "symbolize/lineprog.h"

#include <dwarf.h>

/* ---- the head and the table of files ---- */

struct program {
	struct scan in;
	unsigned version, offset_bytes;
	unsigned shortest_instruction, most_operations;
	int line_base;
	unsigned line_range, opcode_base;
	const uint8_t *operand_counts; /* of the standard opcodes, from 1 */
};

static void read_length(struct program *program)
{
	struct scan *in = &program->in;
	uint64_t n = scan_fixed(in, 4);

	program->offset_bytes = n == UINT32_MAX ? 8 : 4;
	if (n == UINT32_MAX)
		n = scan_fixed(in, 8);
	if (n > scan_left(in))
		in->is_bad = true;
	else
		in->end = in->at + n;
}

/* False: the unit has none. */
static bool find_program(struct unit *unit, struct program *ret)
{
	uint64_t offset;

	if (!die_number(&unit->die, DW_AT_stmt_list, &offset))
		return false;
	*ret = (struct program){.in = image_scan(unit->image, &unit->image->pieces[PIECE_LINE], offset)};
	read_length(ret);
	return true;
}

/* Reads on from the length up to the tables; *start_ret is where the opcodes begin. */
static void read_program_head(struct program *program, const uint8_t **start_ret)
{
	struct scan *in = &program->in;

	program->version = (unsigned)scan_fixed(in, 2);
	in->is_bad |= program->version < 2 || program->version > 5;
	if (program->version >= 5)
		scan_skip(in, 2); /* sizes of an address and of a segment selector */
	uint64_t n = scan_fixed(in, program->offset_bytes);
	in->is_bad |= n > scan_left(in);
	*start_ret = in->is_bad ? in->at : in->at + n;
	program->shortest_instruction = (unsigned)scan_fixed(in, 1);
	program->most_operations = program->version >= 4 ? (unsigned)scan_fixed(in, 1) : 1;
	scan_skip(in, 1);                               /* whether rows are statements */
	program->line_base = (int8_t)scan_fixed(in, 1); /* NOLINT(bugprone-signed-char-misuse,cert-str34-c): it is signed */
	program->line_range = (unsigned)scan_fixed(in, 1);
	program->opcode_base = (unsigned)scan_fixed(in, 1);
	program->operand_counts = in->at;
	in->is_bad |= program->opcode_base == 0 || program->line_range == 0 || program->most_operations == 0;
	if (!in->is_bad)
		scan_skip(in, program->opcode_base - 1);
}

static void read_old_source(struct sources *sources, struct scan *in, const char *name)
{
	uint64_t folder = scan_uleb(in);

	scan_uleb(in); /* its time */
	scan_uleb(in); /* its size */
	sources_add_file(sources, name, folder);
}

static void read_old_tables(struct sources *sources, struct scan *in)
{
	const char *name;

	while (*(name = scan_string(in)))
		sources_add_folder(sources, name);
	while (*(name = scan_string(in)))
		read_old_source(sources, in, name);
}

struct format {
	uint64_t content, form;
};

struct field {
	uint64_t number;
	const char *string;
};

static struct field read_field(const struct image *image, struct program *program, uint64_t form)
{
	struct scan *in = &program->in;
	struct field field = {0, ""};

	switch (form) {
	case DW_FORM_string:
		field.string = scan_string(in);
		break;
	case DW_FORM_line_strp:
		field.string = image_string(image, PIECE_LINE_STR, scan_fixed(in, program->offset_bytes));
		break;
	case DW_FORM_strp:
		field.string = image_string(image, PIECE_STR, scan_fixed(in, program->offset_bytes));
		break;
	case DW_FORM_udata:
		field.number = scan_uleb(in);
		break;
	case DW_FORM_data1:
		field.number = scan_fixed(in, 1);
		break;
	case DW_FORM_data2:
		field.number = scan_fixed(in, 2);
		break;
	case DW_FORM_data4:
		field.number = scan_fixed(in, 4);
		break;
	case DW_FORM_data8:
		field.number = scan_fixed(in, 8);
		break;
	case DW_FORM_data16:
		scan_skip(in, 16);
		break;
	case DW_FORM_block:
		scan_skip(in, scan_uleb(in));
		break;
	default:
		in->is_bad = true;
	}
	return field;
}

/* One of DWARF 5's two tables: what an entry holds, then the entries. */
static void read_new_table(struct sources *sources, const struct image *image, struct program *program, bool is_folders)
{
	struct scan *in = &program->in;
	struct format formats[255];
	unsigned n_formats = (unsigned)scan_fixed(in, 1);

	for (unsigned i = 0; i < n_formats; i++) {
		formats[i].content = scan_uleb(in);
		formats[i].form = scan_uleb(in);
	}
	in->is_bad |= n_formats == 0 && scan_left(in) && *in->at != 0; /* entries that eat no input */
	for (uint64_t n = scan_uleb(in); n > 0 && !in->is_bad; n--) {
		const char *name = "";
		uint64_t folder = 0;

		for (unsigned i = 0; i < n_formats; i++) {
			struct field field = read_field(image, program, formats[i].form);

			if (formats[i].content == DW_LNCT_path)
				name = field.string;
			else if (formats[i].content == DW_LNCT_directory_index)
				folder = field.number;
		}
		if (is_folders)
			sources_add_folder(sources, name);
		else
			sources_add_file(sources, name, folder);
	}
}

/* ---- the program ---- */

struct machine {
	struct unit *unit;
	struct program *program;
	struct sources *sources;
	struct targets *targets;
	uint64_t address, line, column, file;
	unsigned operation;
	bool has_row, is_dead; /* of the current sequence */
	uint64_t row_address, row_line, row_column, row_file;
	uint32_t next; /* the first target that is not below row_address */
};

static void machine_restart(struct machine *m)
{
	m->address = m->column = m->operation = 0;
	m->line = m->file = 1;
	m->has_row = m->is_dead = false;
}

static void advance(struct machine *m, uint64_t operations)
{
	uint64_t all = m->operation + operations;

	m->address += m->program->shortest_instruction * (all / m->program->most_operations);
	m->operation = (unsigned)(all % m->program->most_operations);
}

/* 0, "not known", for what no source file has. */
static uint32_t small_number(uint64_t number)
{
	return number > UINT32_MAX ? 0 : (uint32_t)number;
}

/* The row before holds for all addresses from its own up to this one. */
static void answer_up_to(struct machine *m, uint64_t end)
{
	struct targets *targets = m->targets;

	for (; m->next < targets->n && targets_vaddr(targets, m->next) < end && unit_spend(m->unit, 1); m->next++) {
		struct place *place = &targets->places[m->next];

		if (!place->is_set)
			*place = (struct place){
				.file = sources_path(m->sources, m->row_file),
				.line = small_number(m->row_line),
				.column = small_number(m->row_column),
				.is_set = true,
			};
	}
}

/* A sequence at 0 is a function that the linker dropped; only that one is passed over, up to its end. */
static void emit_row(struct machine *m)
{
	if (!m->has_row && m->address == 0 && !m->unit->image->zero_is_code)
		m->is_dead = true;
	if (m->is_dead)
		return;
	if (m->has_row && m->address > m->row_address)
		answer_up_to(m, m->address);
	if (!m->has_row || m->address < m->row_address)
		m->next = targets_first(m->targets, m->address);
	m->has_row = true;
	m->row_address = m->address;
	m->row_line = m->line;
	m->row_column = m->column;
	m->row_file = m->file;
}

static void run_extended(struct machine *m, struct scan *in)
{
	uint64_t n = scan_uleb(in);
	struct scan operand = *in;

	scan_skip(in, n);
	if (in->is_bad || n == 0)
		return;
	operand.end = in->at;
	switch (scan_fixed(&operand, 1)) {
	case DW_LNE_end_sequence:
		emit_row(m);
		machine_restart(m);
		break;
	case DW_LNE_set_address:
		m->address = scan_fixed(&operand, (unsigned)(n - 1 <= 8 ? n - 1 : 8));
		m->operation = 0;
		break;
	case DW_LNE_define_file:
		read_old_source(m->sources, &operand, scan_string(&operand));
		break;
	}
}

static void run_standard(struct machine *m, struct scan *in, unsigned opcode)
{
	switch (opcode) {
	case DW_LNS_copy:
		emit_row(m);
		break;
	case DW_LNS_advance_pc:
		advance(m, scan_uleb(in));
		break;
	case DW_LNS_advance_line:
		m->line += (uint64_t)scan_sleb(in);
		break;
	case DW_LNS_set_file:
		m->file = scan_uleb(in);
		break;
	case DW_LNS_set_column:
		m->column = scan_uleb(in);
		break;
	case DW_LNS_const_add_pc:
		advance(m, (255 - m->program->opcode_base) / m->program->line_range);
		break;
	case DW_LNS_fixed_advance_pc:
		m->address += scan_fixed(in, 2);
		m->operation = 0;
		break;
	default:
		for (unsigned n = m->program->operand_counts[opcode - 1]; n > 0; n--)
			scan_uleb(in);
	}
}

static void run_program(struct machine *m)
{
	const struct program *program = m->program;
	struct scan *in = &m->program->in;

	machine_restart(m);
	while (scan_left(in)) {
		unsigned opcode = *in->at++;

		if (opcode >= program->opcode_base) {
			unsigned step = opcode - program->opcode_base;

			advance(m, step / program->line_range);
			m->line += (uint64_t)(int64_t)(program->line_base + (int)(step % program->line_range));
			emit_row(m);
		} else if (opcode == 0) {
			run_extended(m, in);
		} else {
			run_standard(m, in, opcode);
		}
	}
}

static void read_tables(struct program *program, const struct image *image, struct sources *sources)
{
	if (program->version >= 5) {
		read_new_table(sources, image, program, true);
		read_new_table(sources, image, program, false);
	} else {
		read_old_tables(sources, &program->in);
	}
}

void lineprog_run(struct unit *unit, struct sources *sources, struct targets *targets)
{
	struct program program;
	struct machine m = {.unit = unit, .program = &program, .sources = sources, .targets = targets};
	const uint8_t *start;

	if (!find_program(unit, &program))
		return;
	read_program_head(&program, &start);
	sources->version = program.version;
	program.in.is_bad |= !unit_spend(unit, scan_left(&program.in));
	if (program.in.is_bad) {
		unit_note_damage(unit, "line table of the unit");
		return;
	}
	read_tables(&program, unit->image, sources);
	bool has_bad_tables = program.in.is_bad;
	program.in.is_bad = false;
	program.in.at = start;
	run_program(&m);
	if (has_bad_tables || program.in.is_bad)
		unit_note_damage(unit, "line table of the unit");
}

uint64_t lineprog_bytes(struct unit *unit)
{
	struct program program;

	return find_program(unit, &program) ? scan_left(&program.in) : 0;
}
