import { X } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, useState } from 'react';
import { Field } from '../../ui/forms/field.tsx';
import { withDomains } from './domains.ts';
import '../../ui/controls/chip.css';
import '../../ui/forms/input.css';

type Props = {
  domains: readonly string[];
  /** Text typed but not added yet; saving adds it. */
  typed: string;
  onChange: (domains: string[], typed: string) => void;
  error: string | undefined;
  disabled: boolean;
};

/** Allowed e-mail domains. Enter, comma or blur adds a domain; Backspace in an empty field removes the last. */
export function DomainChips({ domains, typed, onChange, error, disabled }: Props) {
  const [problem, setProblem] = useState<string>();
  const take = (text: string): void => {
    const { domains: next, bad } = withDomains(domains, text);
    setProblem(bad ? `${bad} is not a domain such as example.com.` : undefined);
    onChange(next, bad ?? '');
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if ((event.key === 'Enter' || event.key === ',' || event.key === ' ') && typed.trim()) {
      event.preventDefault();
      take(typed);
    } else if (event.key === 'Backspace' && !typed) onChange(domains.slice(0, -1), '');
  };
  const onPaste = (event: ClipboardEvent): void => {
    event.preventDefault();
    take(`${typed}${event.clipboardData.getData('text')}`);
  };
  return (
    <Field
      label="E-mail domains"
      note="required"
      hint="Only these domains can log in through your provider. Press Enter to add one."
      error={problem ?? error}
    >
      {(ids) => (
        <span className="input flex-wrap !gap-1.5" aria-disabled={disabled || undefined}>
          {domains.map((domain) => (
            <span key={domain} className="chip">
              <span className="chip-value">{domain}</span>
              {disabled ? null : (
                <button
                  type="button"
                  className="chip-remove"
                  aria-label={`Remove ${domain}`}
                  onClick={() =>
                    onChange(
                      domains.filter((one) => one !== domain),
                      typed,
                    )
                  }
                >
                  <X className="icon-small" aria-hidden />
                </button>
              )}
            </span>
          ))}
          <input
            {...ids}
            className="!min-w-32"
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            disabled={disabled}
            placeholder={domains.length === 0 ? 'example.com' : ''}
            value={typed}
            onChange={(event) => onChange([...domains], event.target.value)}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
            onBlur={() => (typed.trim() ? take(typed) : undefined)}
          />
        </span>
      )}
    </Field>
  );
}
