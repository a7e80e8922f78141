import { clockTime } from '../../lib/moment.ts';
import { paint, paintLines } from '../../lib/paint.ts';
import { type Painted, plain } from '../../lib/painted.ts';
import { offsetName } from '../../lib/zone.ts';
import { keyName } from '../../session/keys/names.ts';
import { asked } from '../../session/layers/bar.ts';
import { matchingHelp } from '../../session/layers/help.ts';
import type { Layer, LayerOf, MenuItem } from '../../session/layers/layer.ts';
import { matchingPalette } from '../../session/layers/palette.ts';
import { pickRows } from '../../session/layers/pick.ts';
import { takeRows } from '../../session/layers/take.ts';
import type { Now } from '../../session/world.ts';
import { formSpeech } from './form-scene.ts';
import { journalSpeech } from './journal-scene.ts';
import { lined, listed, toneWords } from './sentences.ts';
import type { Speech } from './speech.ts';

/** Rows of a picker that are read out: the others are found by typing. */
const mostOffered = 5;

/** What is heard of each kind of layer. A missing kind does not compile. */
const speeches: { readonly [K in Layer['kind']]: (layer: LayerOf<K>, now: Now) => Speech } = {
  form: formSpeech,
  wait: ({ title }) => ({ title: plain`${paint(title)}: loading` }),
  take(layer, { world }) {
    const rows = takeRows(layer, world.picks(layer));
    const ids = new Set(layer.taken.map(({ id }) => id));
    const how = layer.several ? plain`Space selects or clears, Enter confirms` : plain`Enter selects`;
    return {
      title: plain`${paint(layer.title)}. Type to filter, Up and Down move, ${how}, Esc goes back`,
      rows: {
        texts: rows.map(({ id, label, hint = '' }) =>
          listed([ids.has(id) ? plain`selected` : plain``, paint(label), paint(hint)]),
        ),
        at: layer.cursor,
        most: mostOffered,
        narrowedBy: layer.query.text,
        none: noMatch(layer, world.pickTrouble(layer)),
      },
      prompt: plain`Filter: ${paint(layer.query.text)}`,
    };
  },
  secret({ secret, shown, copied, leaving }) {
    const state = copied ? plain`Copied` : plain`Shown once and never again. y copies it, r reads it out, Esc leaves`;
    return {
      title: lined([paint(secret.title), ...secret.notes.map(paint)]),
      remarks: [
        { about: 'state', text: state },
        { about: 'value', text: shown ? plain`It is: ${paint(secret.value)}` : plain`` },
        {
          about: 'leaving',
          text: leaving && !copied ? plain`Warning: not copied. Esc again leaves, and it is gone` : plain``,
        },
      ],
    };
  },
  job({ title, progress, ended, stopping }) {
    const part = progress?.part;
    const tens = part === undefined ? 0 : Math.floor(part * 10);
    return {
      title: paint(title),
      remarks: [
        { about: 'step', text: paint(progress?.step) },
        { about: 'part', text: part === undefined ? plain`` : plain`${tens * 10}%` },
        { about: 'stopping', text: stopping && !ended ? plain`stopping` : plain`` },
        { about: 'ended', text: ended ? plain`${ended.ok ? plain`` : plain`Error: `}${paint(ended.text)}` : plain`` },
      ],
    };
  },
  confirm({ confirm, typed }) {
    const title = lined([paint(confirm.question), ...(confirm.details ?? []).map(paint)]);
    const how =
      confirm.enter === undefined ? plain`y: yes. n, Enter or Esc: no` : plain`Enter: ${paint(confirm.enter)}. Esc: no`;
    return confirm.typed === undefined
      ? { title: lined([title, how]) }
      : {
          title: lined([title, plain`Type ${paint(confirm.typed)} and press Enter to confirm. Esc cancels`]),
          prompt: plain`Confirm: ${paint(typed.text)}`,
        };
  },
  bar: barSpeech,
  pick(layer, { world }) {
    const { picker, query, cursor } = layer;
    const rows = pickRows(layer, world.picks(layer));
    return {
      title: plain`${paint(picker.title)}. Type to filter, Up and Down move, Enter selects, Esc goes back`,
      remarks: [
        ...world.pickNotes(layer).map((note, at) => ({ about: `note ${at}`, text: paint(note) })),
        { about: 'me', text: layer.waitsForMe ? plain`reading who you are; then it is sent` : plain`` },
      ],
      rows: {
        texts: rows.map(({ label, hint = '' }) => listed([paint(label), paint(hint)])),
        at: cursor,
        most: mostOffered,
        narrowedBy: query.text,
        none: noMatch(layer, world.pickTrouble(layer)),
      },
      prompt: plain`Filter: ${paint(query.text)}`,
    };
  },
  filter: ({ line }) => ({
    title: plain`Filter rows. Type words, Enter keeps it, Esc drops it`,
    prompt: plain`Filter: ${paint(line.text)}`,
  }),
  find: ({ line }, { view: { detail } }) => ({
    title: plain`Search. Type text, Down is the next match, Enter keeps it, Esc drops it`,
    remarks: [{ about: 'found', text: detail && line.text !== '' ? plain`${detail.found.length} found` : plain`` }],
    prompt: plain`Search: ${paint(line.text)}`,
  }),
  help: ({ query, cursor, searching }, { world, view }) => ({
    title: plain`Help, ${paint(view.screen.title)}. Up and Down move, Enter runs the line, / searches, Esc goes back`,
    rows: {
      texts: matchingHelp(query.text, world).map(
        ({ keys, title, help = title, refused }) =>
          plain`${paint(keys.map(keyName).join(' or '))}: ${paint(help)}${refused === undefined ? plain`` : plain` (not now: ${paint(refused)})`}`,
      ),
      at: cursor,
      most: Number.POSITIVE_INFINITY,
      narrowedBy: query.text,
    },
    prompt: searching ? plain`Search: ${paint(query.text)}` : undefined,
  }),
  palette: (layer, { world }) => ({
    title: plain`Palette. Type the name of a command, Enter runs it, Esc goes back`,
    rows: { texts: matchingPalette(layer, world).map(itemText), at: layer.cursor, most: 0 },
    prompt: plain`Command: ${paint(layer.query.text)}`,
  }),
  menu: ({ title, items, cursor }) => ({
    title: plain`${paint(title)}. Type a key, or move and press Enter; Esc goes back`,
    rows: { texts: items.map(itemText), at: cursor, most: Number.POSITIVE_INFINITY },
  }),
  text: ({ title, lines, top }) => ({
    title: lined([plain`${paint(title)}:`, ...lines.flatMap((line) => paintLines(line))]),
    remarks: [{ about: 'line', text: top === 0 ? plain`` : paint(lines[top]), token: `${top}` }],
  }),
  results: ({ title, results, cursor }) => ({
    title: paint(title),
    rows: {
      texts: results.map(({ ok, name, text }) => listed([ok ? plain`done` : plain`Error`, paint(name), paint(text)])),
      at: cursor,
      most: Number.POSITIVE_INFINITY,
    },
  }),
  journal: journalSpeech,
  messages: ({ cursor }, { world, context }) => ({
    title: plain`Messages, the newest first, times in ${paint(offsetName(context.now, context.zone))}`,
    rows: {
      texts: world.messages.map(({ text, tone, at, notice }) =>
        listed([
          paint(clockTime(at, context.zone)),
          notice === undefined ? plain`` : plain`waiting`,
          plain`${toneWords[tone]}${paint(text)}`,
        ]),
      ),
      at: cursor,
      none: plain`No messages`,
    },
  }),
  profiles: ({ items, cursor }) => ({
    title: plain`Profiles`,
    rows: {
      texts: items.map(({ name, says, current }) =>
        listed([paint(name), current ? plain`in use` : plain``, paint(says)]),
      ),
      at: cursor,
      none: plain`No profiles: n adds one`,
    },
  }),
};

/** The record pairs kinds and speeches; the compiler cannot follow that through a union. */
export const speechOf = (layer: Layer, now: Now): Speech =>
  (speeches[layer.kind] as (layer: Layer, now: Now) => Speech)(layer, now);

const itemText = ({ key, label, hint, refused }: MenuItem): Painted =>
  listed([
    key === undefined ? paint(label) : plain`${paint(keyName(key))}: ${paint(label)}`,
    refused === undefined ? paint(hint) : plain`not now: ${paint(refused)}`,
  ]);

const noMatch = (
  { asked, query }: { readonly asked: string; readonly query: { readonly text: string } },
  trouble?: string,
): Painted =>
  asked !== query.text ? plain`` : trouble === undefined ? plain`No match` : plain`Error: ${paint(trouble)}`;

/** The choices of a bar with their keys, what is set, and what it would do. */
function barSpeech(layer: LayerOf<'bar'>, now: Now): Speech {
  const { bar, input } = layer;
  const { title, settings, foresight, input: open } = asked(layer, now);
  const keys = [
    ...bar.choices.map(({ key, title }) => ({ key, title })),
    ...(bar.inputs ?? []).map(({ key, title, field }) => ({ key, title: title ?? field.label.toLowerCase() })),
    ...(bar.cycles ?? []).map(({ key, title }) => ({ key, title })),
  ].map(({ key, title }) => plain`${paint(keyName(key))}: ${paint(title.replace(/…$/, ''))}`);
  const set = listed(settings.map(({ name, value }) => plain`${name}: ${value}`));
  const token = `${set}\n${input?.line.text ?? ''}`;
  const means = open && 'means' in open ? open.means : undefined;
  return {
    title: plain`${title}. Type a key. ${listed(keys)}. Esc goes back`,
    remarks: [
      { about: 'settings', text: set },
      {
        about: 'foresight',
        text: foresight ? plain`${foresight.isWarning ? plain`Warning: ` : plain``}${foresight.text}` : plain``,
        token: input ? (means ?? '') : token,
      },
      { about: 'means', text: means ?? plain``, token: input?.line.text ?? '' },
      { about: 'error', text: open && 'error' in open && open.error ? plain`Error: ${open.error}` : plain`` },
    ],
    prompt: open && plain`${open.label}: ${paint(open.text)}`,
  };
}
