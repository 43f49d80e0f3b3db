import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { codeOf, explain, fieldErrors } from '../../app/errors.ts';
import { useEdits } from '../../ui/hooks/use-edits.ts';
import { constraintErrors, type FieldErrors } from './constraint-errors.ts';

type Options<Values extends object, Result> = {
  /** The saved record, or the initial values of a new one. */
  saved: Values;
  send: (values: Values) => Promise<Result>;
  onSaved: (result: Result, sent: Values) => void;
  /** Field errors that no input constraint expresses. */
  check?: (values: Values) => FieldErrors;
  /** Form field of a server field with another name: `{ expectedClients: 'clients' }`. Paths match by their last or first part. */
  fieldNames?: Readonly<Record<string, Extract<keyof Values, string>>>;
  /** Form field of a problem code that is about one field: `{ weak_password: 'password' }`. */
  fieldOfCode?: Readonly<Record<string, Extract<keyof Values, string>>>;
  /** Keeps the values after the save, for a form that leads to another page. */
  keepValues?: boolean;
};

/** State of a form: values, field errors and the save. Rendered by `<Form>`. */
export type FormState<Values extends object> = ReturnType<typeof useForm<Values, unknown>>;

/**
 * Manages one form: keeps what was typed during a save, and shows input constraints and the server's field errors (the contract's
 * schemas, applied by the server) beside their fields. Why no form library does this: docs/adr/0014-forms.md.
 */
export function useForm<Values extends object, Result>({
  saved,
  send,
  onSaved,
  check,
  fieldNames = {},
  fieldOfCode = {},
  keepValues = false,
}: Options<Values, Result>) {
  const edits = useEdits(saved);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [refusals, setRefusals] = useState(0);
  const refuse = (found: FieldErrors): void => {
    setErrors(found);
    setRefusals((before) => before + 1);
  };
  const serverErrors = (error: unknown): FieldErrors => {
    const field = fieldOfCode[codeOf(error) ?? ''];
    if (field) return { [field]: explain(error).detail || explain(error).title };
    const found = Object.entries(fieldErrors(error)).map(([name, message]) => [formFieldOf(name, saved, fieldNames), message] as const);
    return Object.fromEntries(found.filter(([name]) => name !== undefined));
  };
  const save = useMutation({
    mutationFn: send,
    onSuccess: (result, sent) => {
      setErrors({});
      onSaved(result, sent);
      if (!keepValues) edits.settle(sent);
    },
    onError: (error) => refuse(serverErrors(error)),
  });
  const set = (part: Partial<Values>): void => {
    edits.set(part);
    setErrors((before) => Object.fromEntries(Object.entries(before).filter(([name]) => !(name in part))));
  };
  const field = <Name extends Extract<keyof Values, string>>(name: Name) => ({
    value: edits.values[name],
    error: errors[name],
    onChange: (value: Values[Name]): void => set({ [name]: value } as unknown as Partial<Values>), // a member of Values with its type
  });
  return {
    values: edits.values,
    isChanged: edits.isChanged,
    isBusy: save.isPending,
    /** What was sent last, once it is saved. */
    sent: save.isSuccess ? save.variables : undefined,
    errors,
    /** Why the last save failed, unless fields explain it. */
    error: save.error && Object.keys(serverErrors(save.error)).length === 0 ? save.error : null,
    /** Counts refused attempts; each one moves the focus to the first invalid field. */
    refusals,
    set,
    /** Value, error and change handler of one field. */
    field,
    /** The same for an input, whose constraints are checked on submit. */
    input: <Name extends Extract<keyof Values, string>>(name: Name) => ({ 'data-field': name, ...field(name) }),
    submit: (event: FormEvent<HTMLFormElement>): void => {
      event.preventDefault();
      if (save.isPending) return;
      const found = { ...constraintErrors(event.currentTarget), ...check?.(edits.values) };
      if (Object.keys(found).length > 0) refuse(found);
      else save.mutate(edits.values);
    },
    /** Drops the error of the last attempt. */
    clearErrors: (): void => {
      setErrors({});
      save.reset();
    },
    /** Drops what was typed and every error. */
    reset: (): void => {
      edits.reset();
      setErrors({});
      save.reset();
    },
  };
}

/** Returns the form field of a server field: `businessProfile.hours` is `hours`, `recipients.0` is `recipients`. */
function formFieldOf(name: string, values: object, fieldNames: Readonly<Record<string, string>>): string | undefined {
  const path = name.split('.');
  return [name, path.at(-1) ?? name, path[0] ?? name].map((part) => fieldNames[part] ?? part).find((part) => part in values);
}
