import { screens } from '../../../screens/index.ts';
import { findEndpoint } from '../../api/all-endpoints.ts';
import type { Translator } from '../../api/vocabulary/translator.ts';
import { type Link, probeLink } from '../../client/probe-link.ts';
import type { Environment } from '../../client/transport.ts';
import { lacking } from '../../describe/rights.ts';
import type { Screen } from '../../describe/screen.ts';
import { withLabels } from '../../describe/with-labels.ts';
import type { Clock } from '../../lib/clock.ts';
import { spans } from '../../lib/moment.ts';
import { type Checked, checkKeys } from '../check.ts';
import type { Connection } from '../start.ts';
import { type Fact, worstOf } from './fact.ts';

/** Milliseconds that a response may take before it is called slow. */
const slowMs = 2000;

/** Milliseconds that clocks may differ: unnoticed, and before times of mutes are wrong by minutes. */
const [sameMs, wrongMs] = [5000, 60_000] as const;

/** The way to the service, without keys: its address, certificate, time and clock. */
export async function linkFacts(
  to: { readonly baseUrl: string; readonly words?: Translator | undefined },
  with_: { readonly environment: Environment; readonly clock: Clock },
): Promise<{ readonly facts: readonly Fact[]; readonly isReachable: boolean }> {
  const endpoint = findEndpoint('keys.validate');
  if (!endpoint) throw new Error('the operation keys.validate is not there');
  const link = await probeLink(endpoint, { origin: to.baseUrl, vocabulary: to.words, ...with_ });
  const { hostname } = new URL(to.baseUrl);
  const fact = { id: 'link', title: 'link' };
  if (!link.ok)
    return {
      isReachable: false,
      facts: [
        {
          ...fact,
          state: 'bad',
          text: link.text,
          advice: [`check the address (orgdeck info), the network, the proxy and the name ${hostname}`],
        },
      ],
    };
  const isSlow = link.ms > slowMs;
  const how = to.baseUrl.startsWith('https:') ? ', its certificate is trusted' : ', without TLS on this machine';
  return {
    isReachable: true,
    facts: [
      {
        ...fact,
        state: isSlow ? 'warn' : 'ok',
        text: `${to.baseUrl} answers in ${link.ms} ms${how}`,
        ...(isSlow ? { advice: ['give a longer --poll, and look at the network or the proxy'] } : {}),
      },
      clockFact(link),
    ],
  };
}

/** Our clock beside the one of the service. */
export function clockFact({ aheadMs }: Pick<Extract<Link, { ok: true }>, 'aheadMs'>): Fact {
  const fact = { id: 'clock', title: 'clock' };
  if (aheadMs === undefined) return { ...fact, state: 'ok', text: 'the service does not say what time it is' };
  const apart = Math.abs(aheadMs);
  if (apart <= sameMs) return { ...fact, state: 'ok', text: 'the same as that of the service, to a few seconds' };
  const which = aheadMs > 0 ? 'ahead of' : 'behind';
  return {
    ...fact,
    state: apart > wrongMs ? 'bad' : 'warn',
    text: `${spans(apart)} ${which} that of the service: ages and ends of mutes are off by as much`,
    advice: ['set the clock of this machine (timedatectl set-ntp true)'],
  };
}

/** The keys, and for each screen what it may read and what its edits lack. Sends reads alone. */
export async function accessFacts({ client, settings }: Connection, now: number): Promise<Fact[]> {
  const checked = await checkKeys(client, now);
  const described = withLabels(screens, client.vocabulary);
  const profile = settings.demo ? 'demo' : settings.name;
  const keys = checked.findings.slice(0, 2).map(
    ({ title, text, state }): Fact => ({
      id: title.toLowerCase().replaceAll(' ', '-'),
      state,
      title,
      text: text.replace(/^ok\b/, 'accepted'),
      ...(state === 'ok' ? {} : { advice: [`see where it comes from: orgdeck info --profile ${profile}`] }),
    }),
  );
  if (checked.findings.length <= 2) return keys;
  const permissions = checked.findings.find(({ title }) => title === 'permissions');
  return [
    ...keys,
    ...described
      .filter(({ lists }) => lists.some((list) => !list.board))
      .map((screen) => screenFact(screen, checked, client)),
    ...(permissions && permissions.state !== 'ok'
      ? [
          {
            id: 'permissions',
            ...permissions,
            text: checked.lacking ? 'some are missing, see above' : permissions.text,
            advice: ['users who may edit roles can grant them: orgdeck roles grant --help'],
          },
        ]
      : []),
  ];
}

function screenFact({ id, title, lists }: Screen, checked: Checked, client: Connection['client']): Fact {
  const troubles = checked.findings.filter((finding) => finding.screen === id && finding.text !== 'OK (read)');
  const used = lists.flatMap((list) => [...(list.reads ?? []), ...list.actions.flatMap((action) => action.uses)]);
  const { lacking: missing } = checked;
  const names = missing ? used.flatMap((endpoint) => lacking(endpoint, missing, client)?.split(' and ') ?? []) : [];
  const lacks = [...new Set(names)].sort();
  const texts = [
    ...troubles.map((finding) =>
      lacks.some((name) => finding.text.includes(name))
        ? `${finding.title} cannot be read`
        : `${finding.title}: ${finding.text}`,
    ),
    ...(lacks.length > 0 ? [`your roles lack ${lacks.join(', ')}`] : []),
  ];
  return {
    id: `screen-${id}`,
    state: worstOf([...troubles.map(({ state }) => state), ...(lacks.length > 0 ? (['warn'] as const) : [])]),
    title,
    text: texts.length > 0 ? texts.join('; ') : missing ? 'read and edit' : 'read; what may be edited is not known',
  };
}
