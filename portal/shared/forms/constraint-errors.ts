import { uiText } from '../../ui/text/reader.ts';

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
  if (validity.badInput) return uiText('ui.enterNumber');
  if (validity.valueMissing) return uiText('ui.required');
  if (validity.typeMismatch) {
    return type === 'email' ? uiText('ui.badEmail') : uiText('ui.badUrl');
  }
  if (validity.tooShort) return uiText('ui.tooShort', { min: minLength });
  if (validity.rangeUnderflow) return uiText('ui.tooLow', { min });
  if (validity.rangeOverflow) return uiText('ui.tooHigh', { max });
  return control.validationMessage;
}
