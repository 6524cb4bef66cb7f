#include "symbolize/added_libs.h"

#include "symbolize/answer.h"
#include "symbolize/jobs.h"

static void ask(struct job *job, const struct profile *p)
{
	for (uint32_t i = 1; i < p->n_locs; i++) {
		if (p->locs[i].object.row || p->locs[i].n_lines)
			continue;
		MEM_GROW(job->answers, job->n_answers, job->cap_answers);
		job->answers[job->n_answers++] = (struct answer){.loc = i, .offset = p->locs[i].offset, .is_vaddr = true};
	}
}

static struct err *name_by(struct build *build, const struct symbolize_opts *opts, const char *path)
{
	struct arena *arena = arena_new();
	struct job job = {
		.binary = {.path = path, .is_program = true, .find = &opts->find, .arena = arena},
		.style = opts->names,
		.want_full_names = opts->want_full_names,
		.arena = arena,
	};

	ask(&job, build_profile(build));
	/* One that nothing is asked of is refused all the same, if it is no library. */
	struct job *jobs[] = {&job};
	struct err *err = job.n_answers ? jobs_run(jobs, 1, opts->n_threads, opts->progress) : binary_check_program(path);
	if (!err) {
		answers_write(build, job.answers, job.n_answers);
		diag_append(build_notes(build), &job.binary.diag);
	}
	job_clear(&job);
	return err;
}

struct err *added_libs_name(struct build *build, const struct symbolize_opts *opts)
{
	struct err *err = NULL;

	for (uint32_t i = 0; i < opts->n_added_libs && !err; i++)
		err = name_by(build, opts, opts->added_libs[i]);
	return err;
}
