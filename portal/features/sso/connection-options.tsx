import { Note } from '../../ui/feedback/note.tsx';
import type { Connection } from './queries.ts';
import '../../ui/forms/checkbox.css';

type Props = { label: string; hint: string; risk?: string; checked: boolean; disabled: boolean; onChange: (checked: boolean) => void };

/** What an agency allows or asks for beyond the defaults; a risk is shown once it is on. */
export function ConnectionOption({ label, hint, risk, checked, disabled, onChange }: Props) {
  return (
    <div className="grid gap-2">
      <label className="flex items-start gap-2.5">
        <input
          type="checkbox"
          className="checkbox mt-1"
          checked={checked}
          disabled={disabled}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span className="min-w-0 flex-1">
          {label}
          <span className="block text-xs text-ink-3">{hint}</span>
        </span>
      </label>
      {checked && risk ? <Note tone="warn">{risk}</Note> : null}
    </div>
  );
}

type Values = Pick<Connection, 'vouchesForEmails' | 'allowsSha1' | 'signsRequests' | 'logsOut'>;
type OptionsProps = { values: Values; disabled: boolean; onChange: (change: Partial<Values>) => void };

/** Its hint holds for both protocols. */
export function LogoutOption({ values, disabled, onChange }: OptionsProps) {
  return (
    <ConnectionOption
      label="Log out at the provider, too"
      hint="People who log out here are logged out at your provider as well, where it offers that. With SAML, your provider can log people out here."
      checked={values.logsOut}
      disabled={disabled}
      onChange={(logsOut) => onChange({ logsOut })}
    />
  );
}

export function OidcOptions({ values, disabled, onChange }: OptionsProps) {
  return (
    <ConnectionOption
      label="Accept addresses that are not verified"
      hint="For providers that send no “email_verified”, such as Microsoft Entra ID."
      risk="Anyone who can enter an address at your provider can log in as the member with that address. Only for a provider in which your own admins enter all addresses. This is recorded in the audit log."
      checked={values.vouchesForEmails}
      disabled={disabled}
      onChange={(vouchesForEmails) => onChange({ vouchesForEmails })}
    />
  );
}

export function SamlOptions({ values, disabled, onChange }: OptionsProps) {
  return (
    <>
      <ConnectionOption
        label="Sign requests"
        hint="Signed automatically when your provider’s metadata asks for it."
        checked={values.signsRequests}
        disabled={disabled}
        onChange={(signsRequests) => onChange({ signsRequests })}
      />
      <ConnectionOption
        label="Accept signatures with SHA-1"
        hint="For old providers that cannot sign with SHA-256."
        risk="Signatures with SHA-1 can be forged by an attacker with enough resources, who could then log in as any member. This is recorded in the audit log."
        checked={values.allowsSha1}
        disabled={disabled}
        onChange={(allowsSha1) => onChange({ allowsSha1 })}
      />
    </>
  );
}
