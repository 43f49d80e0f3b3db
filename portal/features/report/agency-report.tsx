import { type ReactNode, useDeferredValue } from 'react';
import { useMessages } from '../../app/messages.ts';
import { useLoaded } from '../../app/route-data.ts';
import { useUser } from '../../app/session.ts';
import type { Client } from '../../queries/clients.ts';
import { type Report, reportQuery } from './queries.ts';
import { Part } from '../../shared/part.tsx';
import { Downloads } from './downloads.tsx';
import { HoursEstimates } from './hours-estimates.tsx';
import { MonthPicker } from './month-picker.tsx';
import { formatMonth, monthAt, monthsBetween } from './months.ts';
import { Recipients } from './recipients.tsx';
import { ReportView } from './report-view.tsx';
import { ResultValuesSection } from './result-values.tsx';
import { SendReport } from './send-report.tsx';
import './report.css';

type Props = {
  client: Client;
  month: string | undefined;
  onMonth: (month: string) => void;
  /** Requests the agent that the report suggests. */
  requestButton: (templateName: string) => ReactNode;
};

/** The report of a client as the agency sees it, with who gets it and what a run is thought to save. */
export function AgencyReport({ client, month, onMonth, requestButton }: Props) {
  const { t, tag } = useMessages();
  const user = useUser();
  const report: Report = useLoaded(reportQuery(client.id, useDeferredValue(month)));
  const months = monthsBetween(report.firstMonth ?? report.month, monthAt(report.generatedAt, report.client.timezone));
  return (
    <div className="grid gap-x-10 gap-y-8 rail:grid-cols-[minmax(0,1fr)_300px]">
      <div className="min-w-0">
        <p className="report-print-title">
          {t('report-page.print-title', { client: report.client.name, month: formatMonth(report.month, tag), agency: user.partner.name })}
        </p>
        <div className="report-head report-screen">
          <MonthPicker months={months} month={report.month} onMonth={onMonth} />
          <div className="report-actions">
            <Downloads report={report} />
            <SendReport report={report} clientStatus={client.status} />
          </div>
        </div>
        <ReportView report={report} onSuggestion={report.suggestion ? requestButton(report.suggestion.templateName) : null} />
      </div>
      <aside className="report-screen min-w-0">
        <Part id={`recipients ${client.id}`}>
          <Recipients report={report} clientStatus={client.status} />
        </Part>
        <Part id="hours">
          <HoursEstimates />
        </Part>
        <Part id="worth">
          <ResultValuesSection />
        </Part>
      </aside>
    </div>
  );
}
