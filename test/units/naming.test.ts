import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { editAction } from '../../screens/archives/edit.ts';
import { archiveKind } from '../../screens/archives/kind.ts';
import { screens } from '../../screens/index.ts';
import { settingLines } from '../../screens/integrations/lines.ts';
import { newAction } from '../../screens/tables/edit.ts';
import { createArchive } from '../../src/api/archives.ts';
import { call, endpoint } from '../../src/api/endpoint.ts';
import { neutralWords } from '../../src/api/vocabulary/dictionary.ts';
import { commandLine } from '../../src/describe/action.ts';
import { textField } from '../../src/describe/field.ts';
import { kind, type RowOf } from '../../src/describe/resource.ts';
import { withLabels } from '../../src/describe/screen.ts';
import { defineSettings, differenceText } from '../../src/describe/setting.ts';
import { mergeEdit } from '../../src/describe/setting-edits.ts';
import { editorEffect, withEditorText } from '../../src/session/form/typing.ts';
import { fieldLine } from '../../src/session/state/form-layer.ts';
import type { Layer } from '../../src/session/state/state.ts';
import { inventedWords } from '../support/invented.ts';
import { answered, contextOf, planOf, walk } from '../support/plans.ts';

const vocabulary = inventedWords();
const there = contextOf({ vocabulary });
const neutral = new RegExp(neutralWords.join('|'), 'i');

test('no fixed text of a screen has a neutral word when the vocabulary renames it', () => {
  const texts = withLabels(screens, vocabulary).flatMap((screen) => [
    screen.title,
    ...screen.lists.flatMap((list) => [
      list.title,
      list.empty,
      ...list.columns.map((column) => column.title),
      ...list.actions.flatMap((action) => [action.title, action.help]),
    ]),
  ]);
  expect(texts.filter((text) => neutral.test(text))).toEqual([]);
  expect(texts).toContain('Nimbalor Cloud');
});

describe('options', () => {
  const row = archiveKind.row({ id: 'a', attributes: { name: 'web', destination: { type: 'provider_b' } } });
  const labels = (context: typeof there) =>
    editAction.form?.(row as never, context, undefined)?.kind?.options?.map((option) => option.label);

  test('of an archive are shown in the words of their position', () => {
    expect(labels(there)).toEqual(['nimbalor', 'cumulex_storage', 'stratovar']);
    expect(labels(contextOf())).toEqual(['provider_a', 'provider_b', 'provider_c']);
  });

  test('of a table are shown in the words of theirs', () => {
    const source = newAction.form?.(undefined as never, there, undefined)?.source;
    expect(source?.options?.map((option) => option.label)).toEqual(['nimbalor', 'cumulex', 'stratovar_bucket']);
  });

  test('are written and parsed in those words when a form is edited as text', () => {
    const fields = { kind: editAction.form?.(row as never, there, undefined)?.kind };
    const form = {
      kind: 'form',
      fields,
      lines: { kind: fieldLine(fields.kind as never, 'provider_b') },
      errors: {},
      own: [],
      written: {},
      labels: {},
      files: {},
      focus: 0,
    } as unknown as Extract<Layer, { kind: 'form' }>;
    expect(editorEffect(form)).toMatchObject({ text: '{\n  "kind": "cumulex_storage"\n}\n' });
    const back = withEditorText(form, { type: 'editorDone', text: '{"kind":"nimbalor"}' } as never);
    expect(back.lines.kind?.text).toBe('provider_a');
  });
});

test("a command has the deployment's words in its body and our operation id", () => {
  const destination = { type: 'provider_b' as const, bucket: 'provider_b', integration: { client_email: 'e@x.test' } };
  const command = call(createArchive, {
    body: { data: { type: 'archives', attributes: { name: 'web', query: '*', destination } } },
  });
  expect(commandLine(command, { vocabulary })).toContain('"type":"cumulex_storage","bucket":"provider_b"');
  expect(commandLine(command, { vocabulary })).toMatch(/^orgdeck call archives\.create --body '/);
  expect(commandLine(command, {})).toContain('"type":"provider_b"');
});

test("a conflict shows the current value in the deployment's words", () => {
  const web = (type: string) =>
    archiveKind.row({ id: 'a', attributes: { name: 'web', query: '*', destination: { type } } });
  const { value } = walk(
    planOf(editAction.send(web('provider_a') as never, { kind: 'provider_c' } as never, there)),
    () => answered({ data: { id: 'a', attributes: { name: 'web', query: '*', destination: { type: 'provider_b' } } } }),
  );
  expect(value).toMatchObject({ problem: { text: expect.stringContaining('of web to "cumulex_storage"') } });
});

describe('a setting whose member has another name in the deployment', () => {
  const stored = v.object({
    provider_a_options: v.object({ provider_b_region: v.string(), tracker_a: v.optional(v.string()) }),
  });
  const row = v.object({ attributes: stored });
  const cloud = (region: string, ticket?: string) => ({
    id: 'a',
    attributes: { provider_a_options: { provider_b_region: region, ...(ticket && { tracker_a: ticket }) } },
  });
  const list = endpoint({
    id: 'clouds.list',
    title: 'List',
    verb: 'list',
    of: 'cloud',
    path: '/clouds',
    permission: [],
    origin: 'spec',
    response: v.object({ data: v.array(row) }),
    source: 'made up',
  });
  const clouds = kind({ noun: 'cloud', of: ['cloud'], schema: row, list: () => call(list), name: () => 'sky' });
  const settings = {
    region: defineSettings(clouds)('region', 'provider_a_options.provider_b_region', (now) => textField('region', now)),
  };
  const rowOf = (...of: Parameters<typeof cloud>) => clouds.row(cloud(...of)) as RowOf<typeof clouds>;

  test('has its translated value in a receipt', () => {
    const receipt = differenceText({ kind: clouds, settings }, rowOf('north'), rowOf('south'), rowOf('west'), there);
    expect(receipt).toBe('; the service reports region "west"');
  });

  test("has its translated value in a conflict; a member without a setting has the deployment's name", () => {
    const clash = (ours: ReturnType<typeof cloud>, theirs: RowOf<typeof clouds>) =>
      mergeEdit({ kind: clouds, settings }, rowOf('north', 'one'), ours.attributes, theirs, there);
    expect(clash(cloud('south', 'one'), rowOf('west', 'one'))).toMatchObject({
      problem: { text: 'not sent: someone else changed the region of sky to "west"' },
    });
    expect(clash(cloud('north', 'two'), rowOf('north', 'three'))).toMatchObject({
      problem: { text: 'not sent: someone else changed the nimbalor options ticketrix of sky to "three"' },
    });
  });

  test('is shown in the detail', () => {
    expect(settingLines({ kind: clouds, settings }, rowOf('west'), there)).toMatchObject([
      { label: 'Region', value: 'west' },
    ]);
  });
});
