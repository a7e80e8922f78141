import type { Translator } from '../../src/api/vocabulary/translator.ts';
import { openVocabulary } from '../../src/api/vocabulary/vocabulary-file.ts';

/** A vocabulary whose words occur in no other text of the project, so that each can be searched for. */
export const invented = {
  service: 'ZEPHYRINE',
  roles: 'Zephyrine',
  words: {
    provider_a: 'nimbalor',
    provider_b: 'cumulex',
    provider_c: 'stratovar',
    tracker_a: 'ticketrix',
    tracker_b: 'deskadorn',
  },
  labels: { provider_a: 'Nimbalor Cloud', tracker_a: 'Ticketrix Board' },
  values: {
    'archives.destination.type': { provider_b: 'cumulex_storage' },
    'archives.destination.encryption.type': { SSE_PROVIDER_C: 'SSE_STRATOKEEP' },
    'tables.source': { PROVIDER_C: 'STRATOVAR_BUCKET' },
    'integrations.monitored_resource_configs.type': { vm_instance: 'cumulex_engine' },
  },
} as const;

/** The translator of this vocabulary. */
export function inventedWords(): Translator {
  const opened = openVocabulary(JSON.stringify(invented));
  if (!opened.ok) throw new Error(opened.faults.join('\n'));
  return opened.value;
}
