import { findEndpoint } from '../../api/all-endpoints.ts';
import type { Translator } from '../../api/vocabulary/translator.ts';
import { type Link, probeLink } from '../../client/probe-link.ts';
import type { Environment } from '../../client/transport.ts';
import { type Clock, spans } from '../../lib/time.ts';
import { type DoctorFact, factAbout } from './fact.ts';

/** Milliseconds that a response may take before it is called slow. */
const slowMs = 2000;

/** Milliseconds that clocks may differ: unnoticed, and before times of mutes are wrong by minutes. */
const [sameMs, wrongMs] = [5000, 60_000] as const;

/** The way to the service, without keys: its address, certificate, time and clock. */
export async function linkFacts(
  to: { readonly baseUrl: string; readonly words?: Translator | undefined },
  with_: { readonly environment: Environment; readonly clock: Clock },
): Promise<{ readonly facts: readonly DoctorFact[]; readonly isReachable: boolean }> {
  const endpoint = findEndpoint('keys.validate');
  if (!endpoint) throw new Error('the operation keys.validate is not there');
  const link = await probeLink(endpoint, { origin: to.baseUrl, vocabulary: to.words, ...with_ });
  const { hostname } = new URL(to.baseUrl);
  const fact = factAbout('link', 'link');
  if (!link.ok) {
    const advice = `check the address (orgdeck info), the network, the proxy and the name ${hostname}`;
    return { isReachable: false, facts: [fact.bad(link.text, advice)] };
  }
  const how = to.baseUrl.startsWith('https:') ? ', its certificate is trusted' : ', without TLS on this machine';
  const text = `${to.baseUrl} answers in ${link.ms} ms${how}`;
  const isSlow = link.ms > slowMs;
  const way = isSlow ? fact.warn(text, 'give a longer --poll, and look at the network or the proxy') : fact.ok(text);
  return { isReachable: true, facts: [way, clockFact(link)] };
}

/** Our clock beside the one of the service. */
export function clockFact({ aheadMs }: Pick<Extract<Link, { ok: true }>, 'aheadMs'>): DoctorFact {
  const fact = factAbout('clock', 'clock');
  if (aheadMs === undefined) return fact.ok('the service does not report its time');
  const apart = Math.abs(aheadMs);
  if (apart <= sameMs) return fact.ok('within a few seconds of the service');
  const which = aheadMs > 0 ? 'ahead of' : 'behind';
  return fact[apart > wrongMs ? 'bad' : 'warn'](
    `${spans(apart)} ${which} that of the service: ages and ends of mutes are off by as much`,
    'set the clock of this machine (timedatectl set-ntp true)',
  );
}
