-- The JSON object and one text member more, at its end. The text of the object is kept, so its members keep their order.
create function with_member(object json, name text, value text) returns json language sql stable
  return (left(object::text, -1) || ', ' || to_json(name)::text || ' : ' || to_json(value)::text || '}')::json;
