import { formApi } from '../../app/api.ts';
import { codeOf, extension } from '../../app/errors.ts';
import { useMessages } from '../../app/messages.ts';
import { useUser } from '../../app/session.ts';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { ssoStart } from '../../shared/sso-start.ts';
import { Button } from '../../ui/controls/button.tsx';
import { buttonClass } from '../../ui/controls/plain-button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';

/** Asks for the password before a change of what protects the account; who logs in through a provider does that again. */
export function ConfirmLogin({ onDone }: { onDone: (isConfirmed: boolean) => void }) {
  const { t } = useMessages();
  const user = useUser();
  const form = useForm({
    saved: { password: '' },
    send: (body) => formApi.reauthenticate({ body }),
    onSaved: () => onDone(true),
    fieldOfCode: { invalid_credentials: 'password' },
    keepValues: true,
  });
  const usesProvider = user.authMethod === 'oidc' || user.authMethod === 'saml' || codeOf(form.error) === 'sso_required';
  const ssoUrl = extension(form.error, 'ssoUrl');
  const cancel = (): void => onDone(false);
  return (
    <Dialog open onClose={cancel} title={t('account.confirmTitle')}>
      {usesProvider ? (
        <>
          <p className="text-ink-2">{t('account.confirmAtProvider')}</p>
          <DialogActions>
            <Button onClick={cancel}>{t('common.cancel')}</Button>
            <a
              className={buttonClass('primary')}
              href={typeof ssoUrl === 'string' ? ssoUrl : ssoStart(user.partner.slug, location.pathname + location.search)}
            >
              {t('account.toProvider')}
            </a>
          </DialogActions>
        </>
      ) : (
        <Form form={form} className="grid gap-4">
          <p className="text-ink-2">{t('account.confirmLead')}</p>
          <input type="email" name="email" autoComplete="username" value={user.email} readOnly hidden />
          <TextField
            label={t('account.currentPassword')}
            type="password"
            name="password"
            required
            autoFocus
            autoComplete="current-password"
            {...form.input('password')}
          />
          <DialogActions>
            <Button onClick={cancel}>{t('common.cancel')}</Button>
            <Button kind="primary" type="submit" busy={form.isBusy && t('account.confirming')}>
              {t('account.confirm')}
            </Button>
          </DialogActions>
        </Form>
      )}
    </Dialog>
  );
}
