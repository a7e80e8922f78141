import { type DetailProps, detailLines } from '../../components/Detail.tsx';
import { Lines } from '../../components/Lines.tsx';
import { listLines, type TableProps } from '../../components/Table.tsx';
import { type TabsProps, tabsLine } from '../../components/Tabs.tsx';

/** Lines that a pane draws inside its border, as blocks of their own. */
export const Table = (props: TableProps) => <Lines {...props} lines={listLines(props)} />;
export const Detail = (props: DetailProps) => <Lines {...props} lines={detailLines(props)} />;
export const Tabs = (props: TabsProps) => <Lines {...props} lines={[tabsLine(props)]} height={1} />;
