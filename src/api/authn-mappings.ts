import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import {
  createBody,
  flag,
  includes,
  int,
  many,
  moment,
  name,
  numberedPages,
  one,
  queryOf,
  resource,
  resourceOperations,
  searchTerms,
  text,
  toOne,
  toOneOf,
  updateBody,
} from './envelope.ts';
import { role } from './roles.ts';

/** A team (docs/contract/authn-mappings.md#team). `avatar`, `banner` and `summary` may be null; the last two are not documented. */
const team = resource('team', {
  name: text,
  handle: text,
  summary: text,
  avatar: text,
  banner: int,
  user_count: int,
  link_count: int,
  is_open_membership: flag,
  handles: v.array(text),
});

/** Serves a picker: a mapping may lead to a team instead of a role. */
export const listTeams = endpoint({
  id: 'teams.list',
  title: 'List teams',
  verb: 'list',
  of: 'team',
  path: '/api/v2/team',
  permission: ['teams_read'],
  origin: 'addition',
  query: queryOf({ ...numberedPages, 'filter[keyword]': text }),
  response: many(team),
  source: 'docs/contract/authn-mappings.md#team',
});

/** Every operation on teams. */
export const teamEndpoints = [listTeams] as const;

/** Maps an attribute that the identity provider sends to a role or a team (docs/contract/authn-mappings.md#responses). */
export const mapping = resource(
  'authn_mappings',
  {
    attribute_key: text,
    attribute_value: text,
    created_at: moment,
    modified_at: moment,
    saml_assertion_attribute_id: text,
  },
  { role: toOne, team: toOne, saml_assertion_attribute: toOne },
);

/** What comes along with mappings: their targets, and the pairs that they are about. */
const beside = includes({
  roles: role,
  team,
  saml_assertion_attributes: resource('saml_assertion_attributes', { attribute_key: text, attribute_value: text }),
});

/** Exactly one of the two is sent (docs/contract/authn-mappings.md#bodies). */
const target = { role: v.optional(toOneOf('roles')), team: v.optional(toOneOf('team')) };

const operations = resourceOperations({
  path: '/api/v2/authn_mappings',
  item: 'authn_mapping_id',
  responses: { list: many(mapping, beside), single: one(mapping, beside) },
  of: 'authn_mappings',
  reading: ['user_access_read'],
  editing: ['user_access_manage'],
  origin: 'spec',
  source: 'docs/contract/authn-mappings.md#operations',
});

/** Mappings to teams are left out unless `resource_type` asks for them: read both values to show all. */
export const listMappings = operations.list({
  id: 'mappings.list',
  title: 'List mappings of identity-provider attributes to roles or teams',
  origin: 'addition',
  query: queryOf({
    ...numberedPages,
    sort: searchTerms(
      'created_at',
      '-created_at',
      'role_id',
      '-role_id',
      'saml_assertion_attribute_id',
      '-saml_assertion_attribute_id',
      'role.name',
      '-role.name',
      'saml_assertion_attribute.attribute_key',
      '-saml_assertion_attribute.attribute_key',
      'saml_assertion_attribute.attribute_value',
      '-saml_assertion_attribute.attribute_value',
    ),
    filter: text,
    resource_type: searchTerms('role', 'team'),
  }),
});

/** Answers 200, not 201. */
export const createMapping = operations.create({
  id: 'mappings.create',
  title: 'Create a mapping to a role or a team',
  body: createBody('authn_mappings', { attribute_key: name, attribute_value: name }, target),
  source: 'docs/contract/authn-mappings.md#bodies',
});

export const getMapping = operations.get({ id: 'mappings.get', title: 'Show one mapping' });

/** Members that the body leaves out stay as they are. */
export const updateMapping = operations.update({
  id: 'mappings.update',
  title: 'Edit a mapping',
  method: 'PATCH',
  repeat: 'settable',
  readBack: 'mappings.get',
  body: updateBody('authn_mappings', { attribute_key: v.optional(name), attribute_value: v.optional(name) }, target),
  source: 'docs/contract/authn-mappings.md#bodies',
});

export const deleteMapping = operations.delete({
  id: 'mappings.delete',
  title: 'Delete a mapping',
  origin: 'addition',
});

/** Every operation on AuthN mappings. */
export const mappingEndpoints = operations.all;
