import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { meQuery } from '../../queries/me.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { Note } from '../../ui/feedback/note.tsx';
import { PageHeader } from '../../ui/layout/layout.tsx';
import { TwoStep } from './two-step.tsx';

/** Shows the pages, or for staff who need two-step login first its setup in place of all of them. */
export function StaffSecondStep({ children }: { children: ReactNode }) {
  const router = useRouter();
  const isRequired = useQuery(meQuery).data?.mfaSetupRequired === true;
  /** Until the recovery codes are saved, which are shown after it is on. */
  const [isSettingUp, setSettingUp] = useState(isRequired);
  if (isRequired && !isSettingUp) setSettingUp(true);
  if (!isSettingUp) return children;
  const goOn = (): void => {
    setSettingUp(false);
    void refreshAfter('secondStepSetUp').then(() => router.invalidate());
  };
  return (
    <>
      <PageHeader title="Set up two-step login" meta="Staff need it here; the other pages open once it is on." />
      <div className="mb-6">
        <Note tone="warn">
          <p>Staff can see every agency. A stolen password alone must not be enough for that.</p>
        </Note>
      </div>
      <TwoStep onDone={goOn} />
    </>
  );
}
