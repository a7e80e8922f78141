import { type Column, plainColumn } from '../../src/describe/column.ts';
import { yesNo } from '../../src/lib/text.ts';
import { allHosts, hostsText } from './lines.ts';

/** Members that accounts of every provider have under one name. */
interface Common {
  readonly attributes: {
    readonly resource_collection_enabled?: boolean | null | undefined;
    readonly host_filters?: string | readonly string[] | null | undefined;
  };
}

/** The hosts that an account brings in, in a cell. */
const hostsOf = ({ attributes }: Common): string => hostsText(attributes.host_filters) ?? allHosts;

/** The hosts of an account, as a column. */
export const hostColumn = (priority: number): Column<Common> =>
  plainColumn({
    id: 'hosts',
    min: 10,
    flex: true,
    priority,
    text: hostsOf,
    tone: (row) => (hostsOf(row) === allHosts ? 'dim' : 'plain'),
  });

/** Whether resources are collected, as a column. */
export const resourceColumn = (priority: number): Column<Common> =>
  plainColumn({
    id: 'resources',
    min: 9,
    priority,
    text: (row) => yesNo(row.attributes.resource_collection_enabled) ?? '',
  });
