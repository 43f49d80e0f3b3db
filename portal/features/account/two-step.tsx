import { useMessages } from '../../app/messages.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Reply } from '../../app/api.ts';
import { meQuery } from '../../queries/me.ts';
import { setSessionUser, useUser } from '../../app/session.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { AccountSection } from './account-section.tsx';
import { ConfirmCode } from './confirm-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { AuthenticatorSetup } from './authenticator-setup.tsx';
import { refreshAfter } from '../../queries/refresh.ts';

type Size = 'md' | 'lg';
type Step =
  | { at: 'rest' }
  | { at: 'setup'; setup: Reply<'setUpMfa'> }
  | { at: 'codes'; codes: readonly string[] }
  | { at: 'renew' }
  | { at: 'off' };

/** Two-step login settings: turned on with an authenticator app, turned off with a current code. See docs/behaviour/identity.md. */
export function TwoStep({ size = 'md', onDone }: { size?: Size; onDone?: () => void }) {
  const { t } = useMessages();
  const user = useUser();
  const [step, setStep] = useState<Step>({ at: 'rest' });
  const begin = useMutation({ mutationFn: () => api.setUpMfa(), onSuccess: (setup) => setStep({ at: 'setup', setup }) });
  const rest = (): void => {
    setStep({ at: 'rest' });
    onDone?.();
  };
  const settle = (mfaEnabled: boolean): void => {
    setSessionUser({ ...user, mfaEnabled });
    void refreshAfter('accountChanged');
  };
  return (
    <AccountSection title={t('account.twoStep')}>
      {begin.error ? (
        <div className="mb-4">
          <ErrorBlock error={begin.error} onRetry={() => begin.mutate()} />
        </div>
      ) : null}
      {step.at === 'setup' ? (
        <AuthenticatorSetup
          setup={step.setup}
          size={size}
          onCancel={() => setStep({ at: 'rest' })}
          onEnabled={(codes) => {
            settle(true);
            setStep({ at: 'codes', codes });
          }}
        />
      ) : step.at === 'codes' ? (
        <RecoveryCodes codes={step.codes} email={user.email} size={size} onDone={rest} />
      ) : step.at === 'renew' ? (
        <ConfirmCode
          size={size}
          lead={t('account.renewLead')}
          action={t('account.generate')}
          busy={t('account.generating')}
          danger
          run={(token) => api.renewRecoveryCodes({ body: { token } })}
          onDone={({ recoveryCodes }) => {
            settle(true);
            setStep({ at: 'codes', codes: recoveryCodes });
          }}
          onCancel={() => setStep({ at: 'rest' })}
        />
      ) : step.at === 'off' ? (
        <ConfirmCode
          size={size}
          lead={t('account.offLead')}
          action={t('account.turnOff')}
          busy={t('account.turningOff')}
          danger
          run={(token) => api.disableMfa({ body: { token } })}
          onDone={() => {
            settle(false);
            setStep({ at: 'rest' });
            announce(t('account.isOff'));
          }}
          onCancel={() => setStep({ at: 'rest' })}
        />
      ) : user.mfaEnabled ? (
        <On size={size} onRenew={() => setStep({ at: 'renew' })} onOff={() => setStep({ at: 'off' })} />
      ) : (
        <div className="flex flex-wrap items-center gap-4">
          <p className="min-w-0 flex-1 basis-65 text-ink-2">{t('account.twoStepLead')}</p>
          <Button size={size} busy={begin.isPending && t('account.preparing')} onClick={() => begin.mutate()}>
            {t('account.setUp')}
          </Button>
        </div>
      )}
    </AccountSection>
  );
}

function On({ size, onRenew, onOff }: { size: Size; onRenew: () => void; onOff: () => void }) {
  const { t } = useMessages();
  const { data } = useQuery(meQuery);
  const left = data?.recoveryCodesLeft;
  return (
    <div className="flex flex-wrap items-center gap-4">
      <div className="min-w-0 flex-1 basis-65 text-ink-2">
        <Badge mark="ok">{t('ui.on')}</Badge>
        <p className="mt-2">
          {t('account.onLead')} {left === undefined ? '' : left === 0 ? t('account.noCodesLeft') : t('account.codesLeft', { count: left })}
        </p>
      </div>
      <Button size={size} onClick={onRenew}>
        {t('account.newCodes')}
      </Button>
      <Button size={size} kind="danger-text" onClick={onOff}>
        {t('account.turnOff')}
      </Button>
    </div>
  );
}
