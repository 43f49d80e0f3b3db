import { businessNameProblem, personNameProblem } from '@partner-portal/core/people/name.ts';
import { refuseField } from '#platform/refuse.ts';

/** Refuses a person's name that holds an address, on the field it was typed in. Mails greet people by it. */
export function refusePersonName(field: string, name: string | null | undefined): void {
  const problem = personNameProblem(name ?? '');
  if (problem) refuseField(field, problem.code, problem.message);
}

/** Refuses the name of an agency or a business that holds a web or e-mail address. Mails to others carry it. */
export function refuseBusinessName(field: string, name: string | null | undefined): void {
  const problem = businessNameProblem(name ?? '');
  if (problem) refuseField(field, problem.code, problem.message);
}
