/** Questions to the person behind a client that can show one, and the answers. */
import {createHmac} from 'node:crypto';
import {
	inputRequired,
	inputResponse,
	type InputRequiredResult,
	type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod/mini';
import type {PersonAnswers} from './agent.ts';
import type {QuestionForPerson} from './approvals.ts';

const KEY = 'approve';

const approved = z.looseObject({[KEY]: z.literal(true)});

/** Answer in a call that is repeated. Its state, which is signed, names the question that was shown. */
export function readPersonAnswers(
	{mcpReq}: Pick<ServerContext, 'mcpReq'>,
	secret: string,
): PersonAnswers {
	return {
		answer(id) {
			if (mcpReq.requestState() !== stateOf(id, secret)) return undefined;
			const answer = inputResponse(mcpReq.inputResponses, KEY);
			if (answer.kind !== 'elicit') return undefined;
			const isYes = answer.action === 'accept' && approved.safeParse(answer.content).success;
			return isYes ? 'yes' : 'no';
		},
	};
}

export function formatQuestion(
	{id, message}: QuestionForPerson,
	secret: string,
): InputRequiredResult {
	const allow = {type: 'boolean', title: 'Rent it', default: false} as const;
	return inputRequired({
		inputRequests: {
			[KEY]: inputRequired.elicit({
				message,
				requestedSchema: {type: 'object', properties: {[KEY]: allow}, required: [KEY]},
			}),
		},
		requestState: stateOf(id, secret),
	});
}

function stateOf(id: string, secret: string): string {
	return createHmac('sha256', secret).update(`asked ${id}`).digest('base64url');
}
