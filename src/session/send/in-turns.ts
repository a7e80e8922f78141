/** Watches an edit of several rows while it is sent, and may stop it. */
export interface Sending {
  /** The service has answered for one more row, or will not. */
  rowEnded(): void;
  /** One more request of a row's edit of several is sent; the titles of all of them. */
  requestsBegan?(requests: readonly string[]): void;
  /** A person does not want the rest to be sent. */
  isStopped(): boolean;
}

/** Requests in flight at once: enough to hide latency, few enough to stop soon. */
const atOnce = 4;

/** What is said of a row that was not sent because a person stopped the edit. */
export const stoppedText = 'not sent: stopped';

/** Does `work` for each of the items, four at a time; undefined for an item that was not begun when the edit was stopped. */
export async function inTurns<Item, Done>(
  items: readonly Item[],
  work: (item: Item, at: number) => Promise<Done>,
  sending?: Sending,
): Promise<readonly (Done | undefined)[]> {
  const done = new Array<Done | undefined>(items.length).fill(undefined);
  const queue = items.entries();
  const worker = async () => {
    for (const [at, item] of queue) {
      if (sending?.isStopped()) return;
      done[at] = await work(item, at);
      sending?.rowEnded();
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return done;
}
