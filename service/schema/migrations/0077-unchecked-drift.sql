-- A flow for which the engine answered with an error is named as such; the others of its agency are looked at all the same.

alter table workflow_drift drop constraint workflow_drift_state_check;
alter table workflow_drift add constraint workflow_drift_state_check check (state in ('none', 'missing', 'changed', 'unchecked'));
