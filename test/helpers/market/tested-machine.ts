/** A machine whose host a test plays, and what the market finds behind its ports. */
import {createHmac} from 'node:crypto';
import {once} from 'node:events';
import {createServer, type AddressInfo, type Socket} from 'node:net';
import {openClient} from '../../../source/client/client.ts';
import {proofConnectionOf} from '../../../source/market/machine-tests/proof-line.ts';
import {TEST_WORD} from '../../../source/market/machine-tests/rules.ts';
import type {MachineTest} from '../../../source/contract/nouns/machine-upkeep.ts';
import {openHostMarket, reportOf, testFacts, testPublication} from '../host/hosts.ts';
import type {TestMarketOptions} from './market.ts';
import {playCard, testModel, type PlayedCard} from './proving-card.ts';

/** A port that does with each connection what is said, and ends with the test. */
export async function listening(serve: (socket: Socket) => void) {
	const server = createServer(socket => {
		socket.on('error', () => undefined);
		serve(socket);
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
	const {port} = server.address() as AddressInfo;
	return {port, [Symbol.asyncDispose]: async () => void server.close()};
}

export const sshServer = async () => listening(socket => void socket.write('SSH-2.0-test\r\n'));

function signatureOf(secret: string, text: string): string {
	return createHmac('sha256', secret).update(text).digest('hex');
}

type Question = Readonly<Record<'word' | 'count' | 'nonce' | 'proof', string>>;

function questionIn(line: string): Question {
	const [word = '', count = '', nonce = '', proof = ''] = line.split(' ');
	return {word, count, nonce, proof};
}

/** True for a question that the market has signed. */
function isAsked({word, count, nonce, proof}: Question, secret: string): boolean {
	return proof === signatureOf(secret, `${word} ${count} ${nonce}`);
}

function answerTo({word, count, nonce}: Question, secret: string): string {
	const sent = word === 'send' ? '0'.repeat(Number(count) << 20) : '';
	return `${signatureOf(secret, `ok ${nonce}`)}\n${sent}`;
}

function playOn(socket: Socket, card: PlayedCard | undefined): void {
	playCard(proofConnectionOf(socket.pause()), card).catch(() => socket.destroy());
}

/**
 * The instance's side of the test, as its program has it; a hasty one answers before it has taken
 * what it is sent.
 */
export async function instanceServer(secret: string, card?: PlayedCard, {isHasty = false} = {}) {
	return listening(socket => {
		let [asked, last, left] = ['', '', 0];
		let question: Question | undefined;
		const read = (piece: Buffer) => {
			let rest = piece;
			if (question === undefined) {
				const end = piece.indexOf(10);
				asked += piece.subarray(0, end < 0 ? undefined : end).toString();
				if (end < 0) return;
				rest = piece.subarray(end + 1);
				question = questionIn(asked);
				if (!isAsked(question, secret)) {
					socket.destroy();
					return;
				}
				const {word, count} = question;
				left = word === 'take' ? Number(count) << 20 : 0;
				if (word === 'prove') playOn(socket.off('data', read), card);
				if (word !== 'take' || isHasty) socket.write(answerTo(question, secret));
			}
			last += rest.subarray(left).toString();
			left = Math.max(0, left - rest.length);
			if (question.word !== 'take' || !last.endsWith('\n')) return;
			socket.write(answerTo({...question, nonce: last.trim()}, secret));
		};
		socket.on('data', read);
	});
}

/** A machine whose host a test plays. */
export async function openTested(options: TestMarketOptions = {}) {
	const gpuModels = [testModel];
	const market = await openHostMarket({webhooks: {targets: 'any'}, gpuModels, ...options});
	const facts = {...testFacts, isolation: 'container', gpu_ram: 1};
	const machine = await market.host.publish(testPublication({facts}));
	await market.host.heartbeat([machine.id]);
	const provider = openClient({url: market.url, key: market.hostKey, paceScale: 0});
	const {id} = machine;

	/** Instance of a machine's test under way. */
	async function ordered(machineId = id) {
		const {instance_id: instanceId, secret} = await market.database
			.selectFrom('machine_tests')
			.selectAll()
			.where('machine_id', '=', machineId)
			.where('ended_at', 'is', null)
			.executeTakeFirstOrThrow();
		const row = await market.database
			.selectFrom('instances')
			.selectAll()
			.where('id', '=', instanceId)
			.executeTakeFirstOrThrow();
		return {row, secret};
	}

	return {
		...market,
		id,
		provider,
		ordered,
		/** The host says that the instance runs, and where. */
		async runs(port: number, ssh: number, machineId = id) {
			const {row} = await ordered(machineId);
			const place = [{HostIp: '127.0.0.1', HostPort: String(port)}];
			const access = {
				ssh_host: '127.0.0.1',
				ssh_port: ssh,
				public_ipaddr: '127.0.0.1',
				machine_dir_ssh_port: ssh,
				ports: {'22/tcp': [{HostIp: '127.0.0.1', HostPort: String(ssh)}], '70000/tcp': place},
			};
			await market.host.report([reportOf(row, {access})]);
		},
		/** The host answers with these lines of each instance's log. */
		async tells(...lines: ReadonlyArray<readonly [name: string, outcome: string, value?: number]>) {
			await market.test();
			const {tasks} = await market.host.takeWork({after: 0, waitSeconds: 0});
			const text = [...lines, ['end', 'passed'] as const].map(([name, outcome, value = null]) => {
				const said = {name, outcome, detail: `${name} it is`, value};
				return `2026-11-22 ${TEST_WORD} ${JSON.stringify(said)}`;
			});
			for (const task of tasks) await market.host.answer(task.id, text.join('\n'));
			await market.test();
		},
		last: async (machineId = id): Promise<MachineTest | undefined> =>
			(await provider.machines.tests(machineId))[0],
		shown: async () => (await provider.machines.show(id))?.verification,
		async [Symbol.asyncDispose]() {
			await provider.close();
			await market[Symbol.asyncDispose]();
		},
	};
}
