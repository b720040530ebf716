import * as z from 'zod/mini';
import {contract} from '../../../source/contract/index.ts';
import type {Report, HostTask} from '../../../source/contract/nouns/host-work.ts';
import type {TestMarket} from './market.ts';

const told = z.looseObject({result_url: z.string()});

/** What a host of the market is asked at present, and how it answers. */
export async function openTestHost(market: TestMarket) {
	const key = await market.createKey('host', 'host');
	const headers = {authorization: `Bearer ${key}`};

	async function work() {
		const {body} = await market.call('/api/v0/hosts/work/?after=0&wait=0', {headers});
		return contract.hosts.takeWork.replies[200].parse(body);
	}

	const tasks = async (): Promise<readonly HostTask[]> => (await work()).tasks;

	return {
		tasks,
		work,
		async report(reports: readonly Report[]): Promise<void> {
			const body = JSON.stringify({reports});
			await market.call('/api/v0/hosts/reports/', {method: 'POST', headers, body});
		},
		/** Answers all that is asked. */
		async answer(text: string): Promise<void> {
			for (const {id} of await tasks()) {
				const body = JSON.stringify({text});
				await market.call(`/api/v0/hosts/tasks/${id}/`, {method: 'POST', headers, body});
			}
		},
	};
}

/** Where the answer to a question will be, as a path. */
export function resultPathIn(body: unknown): string {
	return new URL(z.parse(told, body).result_url).pathname;
}
