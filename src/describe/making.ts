import type { Call } from '../api/endpoint.ts';
import { ask, type Plan } from '../api/plan.ts';
import type { Result } from '../api/problem.ts';
import type { Loose } from '../lib/paths.ts';
import type { Action, Head } from './action.ts';
import { otherwise, rowIn } from './answer.ts';
import { callCommand } from './command.ts';
import type { Fields } from './field.ts';
import type { Kind, Resource } from './resource.ts';
import { fieldsOf, type Settings, type Values, withValues } from './setting.ts';

/** The answer of a create. */
export interface Made<R> {
  /** As it was asked for; it has no id yet. */
  readonly asked: R;
  /** As the service tells it; undefined where it does not. */
  readonly now: R | undefined;
}

/** Declares a create from a table of settings: form, request, receipt, the row that was made, undo, command. */
export type Making<R extends Resource, S extends Settings<R>> = <New>(
  head: Head<R, Values<S>, Made<R>> & {
    /** The call, or several in order whose last result tells the new row. */
    create(attributes: New, values: Values<S>): Call | Plan<Result<unknown>>;
    /** Attributes that its form begins with. */
    readonly starts?: Partial<R['attributes']>;
    /** What follows in the receipt: `, last in the order`. */
    says?(row: R): string;
  },
) => Action<R, Values<S>, Made<R>>;

export function making<R extends Resource, S extends Settings<R>>(of: {
  readonly kind: Kind<R>;
  readonly settings: S;
  tidied(attributes: Loose, values: Values<S>, before: undefined): Loose;
}): Making<R, S> {
  const { kind, settings, tidied } = of;
  return <New>({ create, starts = {}, says, ...head }: Parameters<Making<R, S>>[0]) => {
    const attributesOf = (values: Values<S>): Loose =>
      tidied(withValues(settings, {}, values, { isNew: true }), values, undefined);
    const sent = (values: Values<S>) => {
      const secrets = withValues(settings, {}, values, { isNew: true, writeOnly: true });
      return create({ ...attributesOf(values), ...secrets } as New & Parameters<typeof create>[0], values);
    };
    return {
      key: 'n',
      title: 'new',
      on: 'list',
      settings,
      form: (_, context): Fields => fieldsOf<R>(settings, starts, undefined, context),
      *send(_, values): Plan<Result<Made<R>>> {
        const work = sent(values);
        const answer = 'endpoint' in work ? yield* ask(work) : yield* work;
        if (!answer.ok) return answer;
        const asked = { id: '', place: 0, attributes: attributesOf(values), unread: [] } as unknown as R;
        return { ...answer, value: { asked, now: rowIn(kind, answer.value, asked) } };
      },
      made: ({ now }) => now?.id,
      done: (_, __, { asked, now }) =>
        `created ${kind.nameOf(now ?? asked)}${says?.(now ?? asked) ?? ''}${otherwise(settings, undefined, asked, now)}`,
      undo: (_, __, { now }) => (now && kind.remove ? [kind.remove(now.id, now)] : []),
      command(_, values) {
        const work = sent(values);
        const first = 'endpoint' in work ? work : work.next().value;
        return 'endpoint' in first ? callCommand(first) : '';
      },
      ...head,
      uses: [...(head.uses ?? []), ...(kind.remove ? [kind.remove('').endpoint] : [])],
    };
  };
}
