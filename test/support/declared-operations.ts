import type { Call, Plan } from '../../src/api/endpoint.ts';
import type { Client, Purpose } from '../../src/client/client.ts';
import type { Screen } from '../../src/describe/screen.ts';

/** A client that records operations which an action sends without declaring them in `uses` or its list's `reads`. */
export function honest(
  client: Client,
  screens: readonly Screen[],
): { readonly client: Client; readonly lies: Set<string> } {
  const lies = new Set<string>();
  const said = new Map<string, Set<string>>();
  for (const list of screens.flatMap((screen) => screen.lists))
    for (const action of list.actions)
      said.set(action.id, new Set([...action.uses, ...(list.reads ?? [])].map((endpoint) => endpoint.id)));
  const look = (call: Call, purpose: Purpose | undefined) => {
    const uses = purpose && said.get(purpose.action);
    const { id } = call.endpoint;
    if (uses && !uses.has(id)) lies.add(`${purpose.action} sends ${id} and does not say so`);
  };
  return {
    lies,
    client: {
      ...client,
      send(call, how) {
        look(call, how?.purpose);
        return client.send(call, how);
      },
      run: (plan, how) =>
        client.run(
          seen(plan, (call) => look(call, how?.purpose)),
          how,
        ),
    },
  };
}

/** Runs a plan and shows each of its calls to `look`. */
function* seen<T, Shown>(plan: Plan<T, Shown>, look: (call: Call) => void): Plan<T, Shown> {
  let step = plan.next();
  while (!step.done) {
    if ('endpoint' in step.value) look(step.value);
    step = plan.next(yield step.value);
  }
  return step.value;
}
