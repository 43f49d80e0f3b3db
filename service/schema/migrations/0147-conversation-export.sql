-- An export reads the conversations of an account in the order of their ids.
create index conversation_id_of_partner on conversation (partner_id, id);
