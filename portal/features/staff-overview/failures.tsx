import { Link } from '@tanstack/react-router';
import { Section } from '../../ui/layout/layout.tsx';
import { Mark } from '../../ui/feedback/mark.tsx';
import { formatNumber, plural } from '../../ui/text/format.ts';
import type { StaffOverview } from './queries.ts';

/** Failed runs of seven days by cause, with the agencies that have most of them. */
export function FailuresSection({ failures: { causes, isWhole }, failed }: Pick<StaffOverview, 'failures'> & { failed: number }) {
  return (
    <Section
      title="Failures by cause"
      note={failed ? `${formatNumber(failed)} in 7 days` : undefined}
      aside={
        <Link to="/admin/usage" search={{ span: '7d' }} className="link text-xs">
          Usage of 7 days
        </Link>
      }
    >
      {causes.length === 0 ? (
        <p className="flex items-center gap-2 border-t border-line py-3 text-ink-2">
          <Mark kind="ok" />
          No run failed in the last seven days.
        </p>
      ) : (
        <ul className="border-t border-line">
          {causes.map(({ code, cause, runs, agencies, most }) => (
            <li key={code} className="flex gap-3 border-b border-line-soft py-2.75">
              <b className="tabular-nums w-9 flex-none text-right font-figure">{formatNumber(runs)}</b>
              <div className="min-w-0 flex-1">
                <p className="font-medium text-pretty break-words">{cause}</p>
                <ul className="flex flex-wrap gap-x-3 text-ink-2">
                  {most.map((agency) => (
                    <li key={agency.partnerId}>
                      <Link
                        to="/admin/partners/$partnerId"
                        params={{ partnerId: agency.partnerId }}
                        className="link inline-flex min-h-6 items-center"
                      >
                        {agency.partnerName}
                      </Link>{' '}
                      {formatNumber(agency.runs)}
                    </li>
                  ))}
                  {agencies > most.length ? <li>and {plural(agencies - most.length, 'other agency', 'other agencies')}</li> : null}
                </ul>
              </div>
            </li>
          ))}
        </ul>
      )}
      {isWhole ? null : <p className="pt-2 text-ink-3">Causes of the newest failed runs; older ones of the seven days are not grouped.</p>}
    </Section>
  );
}
