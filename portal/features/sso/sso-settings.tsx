import { Link } from '@tanstack/react-router';
import { PlanGate } from '../../shared/plan-gate.tsx';
import { useRefusal } from '../../app/current-user.ts';
import { Note } from '../../ui/feedback/note.tsx';
import { ConnectionPanel } from './connection-panel.tsx';
import { EnforcementPanel } from './enforcement-panel.tsx';
import { FailedLogins } from './failed-logins.tsx';
import { ssoQuery } from './queries.ts';
import { useLoaded } from '../../app/route-data.ts';

/** SSO settings: connection and enforcement, controlled separately. */
export function SsoSettings() {
  const data = useLoaded(ssoQuery);
  const refusal = useRefusal('sso.manage');
  if (!data.available && !data.configured) return <PlanGate feature="sso" />;
  return (
    <>
      {data.available ? null : (
        <div className="mb-5">
          <Note
            tone="warn"
            action={
              <Link className="link" to="/dashboard/billing/plan">
                Request a plan
              </Link>
            }
          >
            Your plan no longer includes single sign-on. The connection stays, and passwords work.
          </Note>
        </div>
      )}
      <div className="grid items-start gap-5 rail:grid-cols-[minmax(0,1fr)_340px]">
        <div className="grid gap-5">
          <ConnectionPanel connection={data} refusal={refusal} />
          {data.configured ? <FailedLogins /> : null}
        </div>
        <EnforcementPanel connection={data} refusal={refusal} />
      </div>
    </>
  );
}
