import { formBindings } from '../form/bindings.ts';
import { focused, isTyped } from '../form/fields.ts';
import { type Binding, leave, on } from '../keys/binding.ts';
import type { Layer } from '../state.ts';

const steps = (letters: boolean): Binding[] => [
  on(letters ? ['j', 'down'] : ['down', 'ctrl+n'], 'down', { do: 'step', by: 1 }, undefined, { group: 'move' }),
  on(letters ? ['k', 'up'] : ['up', 'ctrl+p'], 'up', { do: 'step', by: -1 }, undefined, { group: 'move' }),
  on(letters ? ['ctrl+d', 'pagedown'] : ['pagedown'], 'page down', { do: 'step', by: 10 }, undefined, {
    group: 'move',
  }),
  on(letters ? ['ctrl+u', 'pageup'] : ['pageup'], 'page up', { do: 'step', by: -10 }, undefined, { group: 'move' }),
  ...(letters
    ? [
        on(['g', 'home'], 'first', { do: 'step', by: -1e9 }, undefined, { group: 'move' as const }),
        on(['G', 'end'], 'last', { do: 'step', by: 1e9 }, undefined, { group: 'move' as const }),
      ]
    : []),
];

/** Keys of the layer on top. Those that type text keep every letter for the text. */
export function layerBindings(layer: Layer): Binding[] {
  switch (layer.kind) {
    case 'form':
      return formBindings(layer);
    case 'take': {
      const typing = layer.typing || layer.query.text !== '';
      return [
        on(['return'], layer.several ? 'done' : 'take', { do: 'choose' }, 1),
        ...(layer.several ? [on(['space'], 'take or leave', { do: 'toggle' }, 2)] : []),
        ...(typing ? [] : [on(['/'], 'search', { do: 'typing' }, 3)]),
        ...steps(!typing),
        leave(typing ? ['esc'] : ['esc', 'q', 'backspace']),
      ];
    }
    case 'wait':
      return [leave(['esc', 'q', 'backspace'])];
    case 'secret':
      return [
        on(['y'], 'copy without showing', { do: 'copySecret' }, 1),
        on(['r'], layer.shown ? 'hide' : 'show', { do: 'reveal' }, 2),
        {
          ...leave(['esc', 'q'], layer.copied || layer.leaving ? 'leave' : 'leave (it is never shown again)'),
          deliberate: layer.leaving && !layer.copied,
        },
      ];
    case 'job':
      return layer.ended
        ? [leave(['esc', 'q', 'return', 'backspace'])]
        : [
            on(['c'], layer.stopping ? 'stopping' : 'cancel', { do: 'cancelJob' }, 1, { deliberate: true }),
            leave(['esc', 'q'], 'leave it running'),
          ];
    case 'confirm':
      return layer.confirm.typed !== undefined
        ? [on(['return'], 'go on', { do: 'yes' }, 1, { deliberate: true }), leave(['esc'], 'no')]
        : [
            on(['y'], 'yes', { do: 'yes' }, 1, { deliberate: true }),
            leave(['esc', 'q', 'n', 'N', 'return', 'backspace', 'space'], 'no'),
          ];
    case 'bar': {
      if (layer.input) return [on(['return'], 'take it', { do: 'choose' }, 1), leave(['esc'], 'back')];
      const { bar } = layer;
      return [
        ...bar.choices.map((it, at) => on([it.key], it.title, { do: 'barKey', key: it.key }, at + 1)),
        ...(bar.inputs ?? []).map((it, at) =>
          on([it.key], it.title ?? it.field.label.toLowerCase(), { do: 'barKey', key: it.key }, 40 + at),
        ),
        ...(bar.cycles ?? []).map((it, at) => on([it.key], it.title, { do: 'barKey', key: it.key }, 50 + at)),
        leave(),
      ];
    }
    case 'pick': {
      const typing = layer.typing || layer.query.text !== '';
      const quick = layer.picker.quick;
      return [
        ...(quick && !typing ? [on([quick.key], quick.title, { do: 'quickPick' }, 1)] : []),
        on(['return'], 'take', { do: 'choose' }, 2),
        ...(typing ? [] : [on(['/'], 'type a name', { do: 'typing' }, 3)]),
        ...steps(!typing),
        leave(typing ? ['esc'] : ['esc', 'q', 'backspace']),
      ];
    }
    case 'filter':
      return [
        on(['return'], 'keep', { do: 'choose' }, 1),
        on(['down', 'ctrl+n'], 'down', { do: 'step', by: 1 }),
        on(['up', 'ctrl+p'], 'up', { do: 'step', by: -1 }),
        leave(['esc'], 'drop the filter'),
      ];
    case 'help':
      return layer.searching
        ? [on(['return'], 'do it', { do: 'choose' }, 1), ...steps(false), leave(['esc'])]
        : [
            on(['return'], 'do it', { do: 'choose' }, 1),
            on(['/'], 'search', { do: 'typing' }, 2),
            ...steps(true),
            leave(['esc', 'q', '?', 'backspace']),
          ];
    case 'palette':
      return [on(['return'], 'do it', { do: 'choose' }, 1), ...steps(false), leave(['esc'])];
    case 'menu':
      return [
        ...layer.items.flatMap((it) =>
          it.key ? [on([it.key], it.label, { do: 'barKey', key: it.key }, undefined, { refused: it.refused })] : [],
        ),
        on(['return'], 'take', { do: 'choose' }, 1),
        ...steps(true).map((it) => ({
          ...it,
          keys: it.keys.filter((key) => !layer.items.some((item) => item.key === key)),
        })),
        ...[leave()].map((it) => ({
          ...it,
          keys: it.keys.filter((key) => !layer.items.some((item) => item.key === key)),
        })),
      ];
    case 'text':
      return [
        ...steps(true),
        on(['y'], 'copy', { do: 'copy', what: layer.title, text: layer.lines.join('\n') }, 1),
        leave(['esc', 'q', 'return', 'backspace']),
      ];
    case 'results':
      return [
        ...steps(true),
        on(['r'], 'retry the failed', { do: 'retry' }, 1, {
          refused: layer.results.every((it) => it.ok) ? 'none failed' : undefined,
        }),
        leave(['esc', 'q', 'return', 'backspace']),
      ];
    case 'journal': {
      const entry = layer.entries[layer.cursor];
      const open =
        entry && (entry.outcome === 'open' || entry.outcome === 'unknown') ? undefined : 'its outcome is known';
      return [
        ...steps(true),
        on(['c'], 'check', { do: 'entry', what: 'check' }, 1, {
          refused: open ?? (entry?.checkable ? undefined : 'there is no read that shows it'),
        }),
        on(['r'], 'repeat', { do: 'entry', what: 'repeat' }, 2, { refused: entry?.repeatable ? undefined : open }),
        on(['f'], 'forget', { do: 'entry', what: 'forget' }, 3, { refused: entry?.repeatable ? undefined : open }),
        on(['u'], 'undo', { do: 'entry', what: 'undo' }, 4, {
          refused: entry?.undoable ? undefined : 'there is no way back recorded',
        }),
        on(['y'], 'copy the report', { do: 'copy', what: 'the hand-over report', text: '' }, 5),
        leave(),
      ];
    }
    case 'profiles':
      return [
        ...steps(true),
        on(['return'], 'use', { do: 'profile', what: 'use' }, 1),
        on(['n'], 'new', { do: 'profile', what: 'new' }, 2),
        on(['t'], 'test', { do: 'profile', what: 'test' }, 3),
        on(['d'], 'remove', { do: 'profile', what: 'remove' }, 4),
        leave(),
      ];
  }
}

/** Whether the layer takes letters as text when no binding has them. */
export function takesText(layer: Layer): boolean {
  switch (layer.kind) {
    case 'form': {
      return layer.review === undefined && isTyped(focused(layer)?.field);
    }
    case 'confirm':
      return layer.confirm.typed !== undefined;
    case 'bar':
      return layer.input !== undefined;
    case 'pick':
    case 'take':
    case 'filter':
    case 'palette':
      return true;
    case 'help':
      return layer.searching;
    default:
      return false;
  }
}
