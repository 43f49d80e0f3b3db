-- State of a flow for which the engine returned an error; the other flows of the partner are still checked.

alter table workflow_drift drop constraint workflow_drift_state_check;
alter table workflow_drift add constraint workflow_drift_state_check check (state in ('none', 'missing', 'changed', 'unchecked'));
