import { Link } from '@tanstack/react-router';
import { useMessages } from '../../app/messages.ts';
import { useLoaded } from '../../app/route-data.ts';
import { useUser } from '../../app/session.ts';
import { reportQuery } from './queries.ts';
import { buttonClass } from '../../ui/controls/button.tsx';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { Downloads } from './downloads.tsx';
import { MonthPicker } from './month-picker.tsx';
import { formatMonth, monthAt, monthsBetween } from './months.ts';
import { OwnSubscription } from './own-subscription.tsx';
import { ReportView } from './report-view.tsx';
import './report.css';

type Props = { clientId: string; month: string | undefined; onMonth: (month: string) => void };

/** The monthly report of a client, as the client reads it. */
export function ClientReportPage({ clientId, month, onMonth }: Props) {
  const { t, tag } = useMessages();
  const { partner } = useUser();
  useTitle(t('report-page.title'), partner.name);
  const report = useLoaded(reportQuery(clientId, month));
  const months = monthsBetween(report.firstMonth ?? report.month, monthAt(report.generatedAt, report.client.timezone));
  return (
    <>
      <header className="report-screen mb-5">
        <h1 className="text-2xl tracking-figure text-balance">{t('report-page.title')}</h1>
        <p className="mt-1 max-w-prose text-ink-2 text-pretty">{t('report-page.lead', { client: report.client.name })}</p>
      </header>
      <p className="report-print-title">
        {t('report-page.print-title', { client: report.client.name, month: formatMonth(report.month, tag), agency: report.partner.name })}
      </p>
      <div className="report-head report-screen">
        <MonthPicker months={months} month={report.month} onMonth={onMonth} size="lg" />
        <Downloads report={report} size="lg" />
      </div>
      <ReportView
        report={report}
        onSuggestion={
          <Link to="/client/suggestions" className={buttonClass('default', 'lg')}>
            {t('report-page.ask', { agency: partner.name })}
          </Link>
        }
      />
      <div className="report-screen max-w-form border-t border-line pt-3">
        <OwnSubscription clientId={clientId} />
      </div>
    </>
  );
}
