import { test } from 'vitest';

/** A test of a file whose journeys have most of their setting in common: its name, what it sets besides, and its story. */
interface Stories<Story, Setting> {
  (title: string, story: Story): void;
  (title: string, own: Partial<Setting>, story: Story): void;
}

/** `test` for the stories of a file: `play` is `journey` or what runs them otherwise, `usual` the setting that all of them have. */
export function stories<Story, Setting>(
  play: (story: Story, setting: Setting) => () => Promise<void>,
  usual: NoInfer<NonNullable<Setting>>,
): Stories<Story, NonNullable<Setting>> {
  return (title: string, ...given: [Story] | [Partial<Setting>, Story]) => {
    const [own, story] = given.length === 1 ? [{}, given[0]] : given;
    test(title, play(story, { ...usual, ...own }));
  };
}
