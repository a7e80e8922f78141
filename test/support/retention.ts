import type { Simulator } from './simulator.ts';
import { there } from './there.ts';

/** Replaces all filters by three: a built-in one, `checkout` with an unknown member, and `rest`. */
export function hasFilters(service: Simulator): void {
  service.org.filters.clear();
  service.has('apm_retention_filter', {
    id: 'AAAAAAAAAAAAAAAAAAAAAA',
    name: 'Error Default',
    filter_type: 'spans-errors-sampling-processor',
    filter: { query: 'status:error' },
    created_at: 0,
    modified_at: 0,
    created_by: '',
    modified_by: '',
  });
  service.has('apm_retention_filter', {
    id: '-checkoutcheckoutcheck',
    name: 'checkout',
    filter: { query: 'service:checkout' },
    rate: 0.5,
    trace_rate: 0.1,
    retention_class: 'gold',
  });
  service.has('apm_retention_filter', { id: '_restrestrestrestrestr', name: 'rest', enabled: false, rate: 0.001 });
}

/** Names in the order of the organization. */
export const namesInOrder = (service: Simulator): string[] =>
  [...service.org.filters.values()].map((filter) => filter.name);

/** A filter of the organization by its name. */
export const filterNamed = (service: Simulator, name: string) =>
  there([...service.org.filters.values()].find((filter) => filter.name === name));
