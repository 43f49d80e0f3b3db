import { ChipsField } from '../../ui/forms/chips-field.tsx';
import { withDomains } from './domains.ts';

type Props = {
  domains: readonly string[];
  /** Text typed but not added yet; saving adds it. */
  typed: string;
  onChange: (domains: string[], typed: string) => void;
  error: string | undefined;
  disabled: boolean;
};

/** Allowed e-mail domains. */
export function DomainChips({ domains, ...field }: Props) {
  return (
    <ChipsField
      {...field}
      label="E-mail domains"
      note="required"
      hint="Only these domains can log in through your provider. Press Enter to add one."
      placeholder="example.com"
      items={domains}
      add={(items, text) => {
        const { domains: next, bad } = withDomains(items, text);
        return { items: next, bad };
      }}
      explainBad={(bad) => `${bad} is not a domain such as example.com.`}
      spaceAdds
    />
  );
}
