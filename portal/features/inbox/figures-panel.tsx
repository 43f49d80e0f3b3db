import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMessages } from '../../app/messages.ts';
import { BarChart } from '../../ui/charts/bar-chart.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Figures, Panel } from '../../ui/layout/layout.tsx';
import type { Messages } from '@partner-portal/messages/messages.ts';
import { formatDate, formatNumber, formatPercent } from '../../ui/text/format.ts';
import { type ChatFigures, figuresQuery } from '../../queries/inbox.ts';

type Series = 'conversations' | 'answeredAlone' | 'handedOff' | 'bookings';
const SERIES: readonly Series[] = ['conversations', 'answeredAlone', 'handedOff', 'bookings'];

/** The thirty days in one sentence, above the list. */
export function FiguresLine({ clientId }: { clientId: string | undefined }) {
  const { t } = useMessages();
  const { data } = useQuery(figuresQuery(clientId));
  // Keeps its place of two lines: what stands below does not move when it is read.
  if (!data || data.totals.conversations === 0) return <p className="min-h-8 text-xs" />;
  const { conversations, answeredAlone, handedOff } = data.totals;
  return (
    <p className="min-h-8 tabular-nums text-xs text-ink-3">
      {t('inbox.figures-line', { count: conversations, alone: answeredAlone, handedOff })}
    </p>
  );
}

/** Conversations of the last thirty days by day. Shows nothing where there were none. */
export function ChatFiguresPanel({ clientId, title }: { clientId: string | undefined; title?: string }) {
  const { t } = useMessages();
  const { data } = useQuery(figuresQuery(clientId));
  const [series, setSeries] = useState<Series>('conversations');
  if (!data || data.totals.conversations === 0) return null;
  const { totals } = data;
  return (
    <Panel title={title ?? t('inbox.figures')} flush>
      <div className="p-4 pb-0">
        <Figures
          items={SERIES.map((one) => ({ label: t(`inbox.figure-${one}`), value: formatNumber(totals[one]), ...noteOf(t, one, totals) }))}
        />
        <div className="mb-2 overflow-x-auto [&_button]:whitespace-nowrap [&>div]:w-max">
          <Segmented
            label={t('inbox.figure')}
            value={series}
            onChange={setSeries}
            options={SERIES.map((value) => ({ value, label: t(`inbox.figure-${value}`) }))}
          />
        </div>
      </div>
      <BarChart
        bars={data.days.map((row, n) => ({
          label: formatDate(row.day),
          title: formatDate(row.day),
          value: row[series],
          bad: 0,
          isCurrent: n === data.days.length - 1,
        }))}
        label={t('inbox.figure-by-day', { figure: t(`inbox.figure-${series}`) })}
        names={{ bucket: t('inbox.day'), value: t(`inbox.figure-${series}`) }}
        labelEvery={7}
        height={180}
      />
    </Panel>
  );
}

/** The share of all conversations; bookings are counted by themselves. */
function noteOf(t: Messages['t'], series: Series, totals: ChatFigures['totals']): { note?: string } {
  if (series === 'bookings') return {};
  if (series === 'conversations') return { note: t('inbox.started') };
  return { note: formatPercent(totals.conversations === 0 ? 0 : totals[series] / totals.conversations) };
}
