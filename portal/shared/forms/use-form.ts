import { isObject } from '@partner-portal/core/json/is-object.ts';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { codeOf, explain, fieldErrors } from '../../app/errors.ts';
import { preloadBodyCheck } from '../../app/body-check.ts';
import { type Edits, useEdits } from '../../ui/hooks/use-edits.ts';
import { constraintErrors, type FieldErrors } from './constraint-errors.ts';

type Options<Values extends object, Result> = {
  /** The saved record, or the initial values of a new one. */
  saved: Values;
  /** The edits, when they are kept outside of the form, such as by a page whose tabs unmount it. */
  edits?: Edits<Values>;
  /** Calls the service, by `formApi`: it checks the body with the contract's schema and sends it only if the schema accepts it. */
  send: (values: Values) => Promise<Result>;
  onSaved: (result: Result, sent: Values) => void;
  /** Called when `send` failed; for a form that clears what was refused. */
  onRefused?: () => void;
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
 * Manages one form: keeps input typed during a save, and shows next to the fields what their input constraints, the contract's schema
 * and the server refuse. Why no form library does this: docs/adr/0014-forms.md.
 */
export function useForm<Values extends object, Result>({
  saved,
  edits: ownEdits,
  send,
  onSaved,
  onRefused,
  check,
  fieldNames = {},
  fieldOfCode = {},
  keepValues = false,
}: Options<Values, Result>) {
  const inner = useEdits(saved);
  const edits = ownEdits ?? inner;
  const [errors, setErrors] = useState<FieldErrors>({});
  const [refusals, setRefusals] = useState(0);
  const accepted = useRef<string>(undefined);
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
      accepted.current = JSON.stringify(sent);
      onSaved(result, sent);
      if (!keepValues) edits.settle(sent);
    },
    onError: (error) => {
      refuse(serverErrors(error));
      onRefused?.();
    },
  });
  const set = (part: Partial<Values>): void => {
    preloadBodyCheck();
    const changes = (name: string): boolean => JSON.stringify(valueAt(part, name)) !== JSON.stringify(valueAt(edits.values, name));
    edits.set(part);
    setErrors((before) =>
      Object.fromEntries(Object.entries(before).filter(([name]) => !((name.split('.')[0] ?? name) in part && changes(name)))),
    );
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
    /** Whether leaving would lose input; not while a saved form leads to another page. */
    isAtRisk: (): boolean => edits.isChanged && JSON.stringify(edits.values) !== accepted.current,
    /** The values of the last successful save. */
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
    /** Sends the values with these on top, for a form that needs no click, such as a complete code. */
    sendNow: (part: Partial<Values>): void => {
      if (!save.isPending) save.mutate({ ...edits.values, ...part });
    },
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

/** Returns the form field of a server field: `hours` of `businessProfile.hours`, `recipients` of `recipients.0`, the whole path in an object. */
function formFieldOf(name: string, values: object, fieldNames: Readonly<Record<string, string>>): string | undefined {
  const [first = name, second = '', ...rest] = name.split('.').map((part) => fieldNames[part] ?? part);
  const own = fieldNames[name] ?? name;
  if (own in values) return own;
  const isList = /^\d+$/.test(second);
  if (first in values && second && !isList && isObject(valueAt(values, first))) return [first, second, ...rest].join('.');
  const last = rest.at(-1) ?? (second || first);
  return (isList ? [first, last] : [last, first]).find((part) => part in values);
}

/** Returns the value of a field, or of the member of an object in a field. */
function valueAt(values: object, name: string): unknown {
  let value: unknown = values;
  for (const part of name.split('.')) value = isObject(value) ? value[part] : undefined;
  return value;
}
