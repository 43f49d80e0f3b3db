import { useState } from 'react';
import { fieldErrors } from '../app/errors.ts';

/** Error texts by input key. */
export type InputErrors = Readonly<Record<string, string>>;

/** What the service refused of the input of a run, by input: a value that is missing, or that cannot be understood. */
export function useInputErrors(): { errors: InputErrors; clear: () => void; onFailed: (error: unknown) => boolean } {
  const [errors, setErrors] = useState<InputErrors>({});
  return {
    errors,
    clear: () => setErrors({}),
    onFailed: (error) => {
      const found = Object.entries(fieldErrors(error)).map(([field, message]) => [field.replace(/^input\./, ''), message] as const);
      const named = found.filter(([key]) => key !== '');
      setErrors(Object.fromEntries(named));
      return named.length > 0;
    },
  };
}
