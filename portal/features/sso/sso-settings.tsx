import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isLost } from '../../app/errors.ts';
import { useRefusal } from '../../app/current-user.ts';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { ConnectionPanel } from './connection-panel.tsx';
import { EnforcementPanel } from './enforcement-panel.tsx';
import { PlanGate } from './plan-gate.tsx';
import { ssoQuery } from './queries.ts';

/** SSO settings: connection and enforcement, controlled separately. */
export function SsoSettings() {
  const sso = useQuery(ssoQuery);
  const { data } = sso;
  const refusal = useRefusal('sso.manage');
  if (isLost(sso)) return <ErrorBlock error={sso.error} onRetry={() => void sso.refetch()} />;
  if (!data) return <SkeletonRows rows={6} label="Loading single sign-on" />;
  if (!data.available && !data.configured) return <PlanGate />;
  return (
    <>
      {data.available ? null : (
        <div className="mb-5">
          <Note
            tone="warn"
            action={
              <Link className="lnk" to="/dashboard/usage">
                Request a plan
              </Link>
            }
          >
            Your plan no longer includes single sign-on. The connection stays, and passwords work.
          </Note>
        </div>
      )}
      <div className="grid items-start gap-5 rail:grid-cols-[minmax(0,1fr)_340px]">
        <ConnectionPanel connection={data} refusal={refusal} />
        <EnforcementPanel connection={data} refusal={refusal} />
      </div>
    </>
  );
}
