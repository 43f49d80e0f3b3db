import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { BarChart } from '../../ui/charts/bar-chart.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Figures, Panel } from '../../ui/layout/layout.tsx';
import { formatDay, formatNumber, plural } from '../../ui/text/format.ts';
import { type ChatFigures, figuresQuery } from '../../queries/inbox.ts';

type Series = 'conversations' | 'answeredAlone' | 'handedOff' | 'bookings';
const WORDS: Record<Series, string> = {
  conversations: 'Conversations',
  answeredAlone: 'Without a person',
  handedOff: 'Handed over',
  bookings: 'Bookings started',
};
const SERIES: readonly Series[] = ['conversations', 'answeredAlone', 'handedOff', 'bookings'];

/** The thirty days in one sentence, above the list. */
export function FiguresLine({ clientId }: { clientId: string | undefined }) {
  const { data } = useQuery(figuresQuery(clientId));
  if (!data || data.totals.conversations === 0) return null;
  const { conversations, answeredAlone, handedOff } = data.totals;
  return (
    <p className="tabular-nums text-xs text-ink-3">
      {plural(conversations, 'conversation')} in 30 days: {formatNumber(answeredAlone)} without a person, {formatNumber(handedOff)} handed
      over
    </p>
  );
}

/** Conversations of the last thirty days by day. Shows nothing where there were none. */
export function ChatFiguresPanel({ clientId, title = 'Chatbot, last 30 days' }: { clientId: string | undefined; title?: string }) {
  const { data } = useQuery(figuresQuery(clientId));
  const [series, setSeries] = useState<Series>('conversations');
  if (!data || data.totals.conversations === 0) return null;
  const { totals } = data;
  return (
    <Panel title={title} flush>
      <div className="p-4 pb-0">
        <Figures items={SERIES.map((one) => ({ label: WORDS[one], value: formatNumber(totals[one]), note: noteOf(one, totals) }))} />
        <div className="mb-2 overflow-x-auto [&_button]:whitespace-nowrap [&>div]:w-max">
          <Segmented label="Figure" value={series} onChange={setSeries} options={SERIES.map((value) => ({ value, label: WORDS[value] }))} />
        </div>
      </div>
      <BarChart
        bars={data.days.map((row, n) => ({
          label: formatDay(`${row.day}T12:00:00`),
          title: formatDay(`${row.day}T12:00:00`),
          value: row[series],
          bad: 0,
          isCurrent: n === data.days.length - 1,
        }))}
        label={`${WORDS[series]} by day`}
        names={{ bucket: 'Day', value: WORDS[series] }}
        labelEvery={7}
        height={180}
      />
    </Panel>
  );
}

function noteOf(series: Series, totals: ChatFigures['totals']): string {
  const share = totals.conversations === 0 ? 0 : Math.round((totals[series] / totals.conversations) * 100);
  if (series === 'answeredAlone' || series === 'handedOff') return `${share} %`;
  return series === 'bookings' ? `of ${plural(totals.runs, 'agent run')}` : 'started';
}
