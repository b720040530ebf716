import {contract} from '../../contract/index.ts';
import type {PermissionsRecord} from '../../contract/grammar/permissions.ts';
import type {CallEndpoint, CallOptions} from '../exchange/call.ts';

const calls = contract.teams;

/** Teams. All but making and joining one take a key of the team. */
export function teamCalls(call: CallEndpoint) {
	return {
		create: async (name: string, credit = 0, options?: CallOptions) =>
			call(calls.create, {body: {team_name: name, transfer_credit: credit}}, options),
		delete: async (options?: CallOptions) => call(calls.delete, {}, options),
		members: async (options?: CallOptions) => call(calls.members, {}, options),
		removeMember: async (id: number, options?: CallOptions) =>
			call(calls.removeMember, {params: {id}}, options),
		/** The reply has the word of the invitation. */
		invite: async (email: string, role: string, options?: CallOptions) =>
			call(calls.invite, {query: {}, body: {email, role}}, options),
		/** Open invitations, each with its word where this key made it. */
		invitations: async (options?: CallOptions) => call(calls.invitations, {}, options),
		/** The reply has a key of the team, which is shown once. */
		join: async (token: string, options?: CallOptions) =>
			call(calls.join, {params: {token}}, options),
		addRole: async (name: string, permissions: PermissionsRecord, options?: CallOptions) =>
			call(calls.addRole, {body: {name, permissions}}, options),
		roles: async (options?: CallOptions) => call(calls.roles, {}, options),
		showRole: async (role: string, options?: CallOptions) =>
			call(calls.showRole, {params: {role}}, options),
		changeRole: async (
			role: string,
			change: {readonly name?: string; readonly permissions?: PermissionsRecord},
			options?: CallOptions,
		) => call(calls.changeRole, {params: {role}, body: change}, options),
		deleteRole: async (role: string, options?: CallOptions) =>
			call(calls.deleteRole, {params: {role}}, options),
	};
}
