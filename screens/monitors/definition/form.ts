import {
  changesOnly,
  type Field,
  type Fields,
  shownNames,
  shownWhen,
  toggleField,
} from '../../../src/describe/field.ts';
import { type MonitorRow, objectOf, textOf } from '../row.ts';
import { accessParts } from './access.ts';
import { assetsPart } from './assets.ts';
import { calendarParts } from './calendar.ts';
import { compositeParts, membersIn } from './composite.ts';
import { at, type Definition, isSame, optionsOf, put } from './definition.ts';
import { deprecatedParts } from './deprecated.ts';
import { evaluationParts } from './evaluation.ts';
import type { Kind } from './kinds.ts';
import { lately } from './known.ts';
import { messageParts, queryParts } from './main.ts';
import { notificationParts } from './notification.ts';
import type { About, Part } from './part.ts';
import { thresholdOf } from './threshold.ts';
import { wholePart } from './whole.ts';

/** What was typed: only what was changed is among the values, null is what was emptied. */
export type Values = Readonly<Record<string, unknown>>;

/** What a form is made of. */
export interface Opened {
  readonly kind: Kind;
  /** What it opens with: what is stored, or the template of a new one. */
  readonly base: Definition;
  /** The organisation's monitors as they were last read. */
  readonly rows: readonly MonitorRow[];
}

/** How it is evaluated, when, and whom it tells. */
const optionParts = [...evaluationParts, ...calendarParts, ...notificationParts];

/** The parts that a kind takes, and those that a stored monitor has besides. */
export function partsOf({ kind, base, rows }: Opened): readonly Part[] {
  if (kind.whole) return [wholePart];
  const members = kind.family === 'composite' && membersIn(textOf(base.query) ?? '') ? compositeParts(rows) : [];
  const all = [...queryParts, ...messageParts, ...optionParts, ...accessParts, assetsPart, ...deprecatedParts];
  return [...all.slice(0, 1), ...members, ...all.slice(1)].filter((it) => it.takes(kind) || it.isSet(base));
}

/**
 * The definition with the values of a form in it; `onto` is what was read since the form was opened, if anything was. The
 * number that the query ends in is also `thresholds.critical`, which must be the same (contract/monitors.md 5.2); a check
 * has no number in its query.
 */
export function defined(opened: Opened, values: Values, onto = opened.base): Definition {
  const changed = partsOf(opened).filter((it) => values[it.name] !== undefined);
  const wanted = changed.reduce((it, part) => part.put(values[part.name], it), onto);
  const isTouched = !isSame(wanted.query, onto.query) || !isSame(optionsOf(wanted), optionsOf(onto));
  return isTouched ? withCritical(opened.kind, wanted) : wanted;
}

const critical = ['options', 'thresholds', 'critical'];

function withCritical(kind: Kind, it: Definition): Definition {
  if (['check', 'composite', 'synthetic', 'unknown'].includes(kind.family)) return it;
  const threshold = thresholdOf(textOf(it.query) ?? '');
  const thresholds = objectOf(at(it, ['options', 'thresholds']));
  // Without any thresholds the service takes the number from the query by itself; a dynamic one is a formula of its own.
  const isOurs = Object.keys(thresholds).length > 0 && thresholds.critical_query == null;
  return threshold === undefined || !isOurs ? it : put(it, critical, threshold);
}

/** The form of a kind: what matters first, what is rare behind a toggle unless it is set. */
export function formOf(opened: Opened): Fields {
  const { kind, base, rows } = opened;
  const parts = partsOf(opened);
  const fields: Record<string, Field> = {};
  const about: About = {
    kind,
    known: lately(() => rows),
    meant: (texts) => defined(opened, valuesIn(fields, texts)),
    ...(kind.family === 'composite' ? { members: membersIn(textOf(base.query) ?? '') } : {}),
  };
  const isBehind = (it: Part) => it.rare === true && !it.isSet(base);
  const draw = (it: Part) => {
    const { shown } = it;
    fields[it.name] = shownWhen(
      (texts) => (!isBehind(it) || texts.more === 'yes') && (shown?.(texts) ?? true),
      it.field(base, about),
    );
  };
  const behind = parts.filter(isBehind);
  for (const it of parts) if (!isBehind(it)) draw(it);
  if (behind.length > 0) {
    const texts = Object.fromEntries(Object.entries(fields).map(([name, it]) => [name, it.initial]));
    const more = behind.filter((it) => it.shown?.(texts) ?? true).length;
    const words = `yes: ${more} more, seldom wanted`;
    fields.more = { ...toggleField('more options', false, words), aside: true };
  }
  for (const it of behind) draw(it);
  // What is proposed for a new one may be another by the time that it is sent: what was seen is what is meant.
  const { query, definition } = base.id === undefined ? fields : {};
  return { ...fields, ...changesOnly(fields), ...(query && { query }), ...(definition && { definition }) };
}

/** What the texts of a form stand for; a field that does not take its text says nothing here. */
function valuesIn(fields: Fields, texts: Readonly<Record<string, string>>): Values {
  const values: Record<string, unknown> = {};
  for (const name of shownNames(fields, texts)) {
    const read = texts[name] === undefined ? undefined : fields[name]?.read(texts[name]);
    if (read?.ok) values[name] = read.value;
  }
  return values;
}
