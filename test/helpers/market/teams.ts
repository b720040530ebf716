/** A team with an owner, and people who join it. */
import {contract} from '../../../source/contract/index.ts';
import type {Ask, Operated} from './accounts.ts';
import {wholeReply} from './market.ts';

/** A team, and what calls with its owner's key are answered. */
export async function openTeam(market: Operated) {
	const owner = await market.add({email: 'owner@example.org'}, 100);
	const wanted = {team_name: 'lab', transfer_credit: 40};
	const {body} = await owner.ask('/team/', 'POST', wanted);
	const {team_id: id, key_id: keyId, api_key: key} = wholeReply(contract.teams.create, body);
	return {id, owner, keyId, ask: market.as(key)};
}

/** Lets somebody join with a role: `team` calls with the key that they get. */
export async function joinAs(
	market: Operated,
	team: Ask,
	role: string,
	email = `${role}@example.org`,
) {
	const person = await market.add({email});
	const invited = await team(`/team/invite/?email=${email}&role=${role}`, 'POST');
	const {token} = wholeReply(contract.teams.invite, invited.body);
	const {body} = await person.ask(`/team/invite/${token}/`);
	const {api_key: key, key_id: keyId} = wholeReply(contract.teams.join, body);
	return {...person, team: market.as(key), keyId, token};
}
