import { FIELD_TEXTS } from '@partner-portal/contract/field-errors.ts';

/** Error texts by field name. */
export type FieldErrors = Record<string, string>;

/** Returns the violated constraints (`required`, `type`, `minLength` …) of the inputs with a `data-field`, as texts of ours. */
export function constraintErrors(form: HTMLFormElement): FieldErrors {
  const found: FieldErrors = {};
  for (const control of form.elements) {
    if (!(control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement)) continue;
    const name = control.dataset['field'];
    if (name && control.willValidate && !control.validity.valid) found[name] ??= textOf(control);
  }
  return found;
}

function textOf(control: HTMLInputElement | HTMLTextAreaElement): string {
  const { validity, type, minLength } = control;
  const { min, max } = control instanceof HTMLInputElement ? control : { min: '', max: '' };
  if (validity.badInput) return 'Enter a number.';
  if (validity.valueMissing) return FIELD_TEXTS.required;
  if (validity.typeMismatch) {
    return type === 'email' ? FIELD_TEXTS.email : FIELD_TEXTS.url;
  }
  if (validity.tooShort) return `Use at least ${minLength} characters.`;
  if (validity.rangeUnderflow) return `Enter ${min} or more.`;
  if (validity.rangeOverflow) return `Enter ${max} or less.`;
  return control.validationMessage;
}
