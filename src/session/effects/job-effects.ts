import type { Progress } from '../../describe/job.ts';
import { capitalized } from '../../lib/text.ts';
import type { Doers, EffectOf, EffectPorts } from './ports.ts';

/** Runs long jobs, and stops them. */
export function createJobEffects({ cache, outside, send }: EffectPorts): Doers<'job' | 'cancelJob'> {
  const jobs = new Map<string, AbortController>();

  const runJob = ({ id, job, of: subject }: EffectOf<'job'>): void => {
    const stop = new AbortController();
    jobs.set(id, stop);
    // A program edits nothing here, so no edit is under way.
    const counts = job.isProgram ? () => {} : (by: number) => send({ type: 'sendingChanged', by });
    counts(1);
    const progress = (progress: Progress) => send({ type: 'jobProgressed', id, progress });
    void outside.job(job, { signal: stop.signal, progress }).then((ended) => {
      jobs.delete(id);
      counts(-1);
      // The sentence of a program begins with the name that a person gave it.
      send({ type: 'jobDone', id, ...ended, text: job.isProgram ? ended.text : capitalized(ended.text) });
      cache.changed(subject);
    });
  };

  return { job: runJob, cancelJob: ({ id }) => jobs.get(id)?.abort() };
}
