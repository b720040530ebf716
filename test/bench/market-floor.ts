/** The bare parts of a market that do the same work: node:http, node:sqlite and JSON, as a process of its own. */
import {once} from 'node:events';
import {createServer} from 'node:http';
import type {ServerResponse} from 'node:http';
import process from 'node:process';
import {DatabaseSync} from 'node:sqlite';

/** What is sent back as it came: the market's own replies. */
const kept = new Map<string, Buffer<ArrayBuffer>>();
const parsed = new Map<string, unknown>();

const sqlite = new DatabaseSync(process.argv[2] ?? '', {timeout: 10_000});
sqlite.exec('pragma synchronous = normal');
const begin = sqlite.prepare('begin immediate');
const commit = sqlite.prepare('commit');
const findKey = sqlite.prepare('select * from api_keys where hash = ?');
const findAsk = sqlite.prepare(
	'select offers.*, machines.contact from offers join machines on machines.id = machine_id where offers.id = ?',
);
const rented = sqlite.prepare('update offers set rentable = 0, rented = 1 where machine_id = ?');
const hear = sqlite.prepare('update machines set heard_at = ? where id = ?');
const revise = sqlite.prepare('update accounts set work_revision = work_revision + 1 where id = 1');
const insertKey = sqlite.prepare(
	'insert into api_keys (account_id, name, hash, last_four, created_at) values (1, ?, ?, ?, ?)',
);
const copied = sqlite
	.prepare('pragma table_info(instances)')
	.all()
	.map(({name}) => String(name))
	.filter(name => name !== 'id')
	.join(', ');
const insertInstance = sqlite.prepare(
	`insert into instances (${copied}) select ${copied} from instances order by id limit 1`,
);

let keys = 0;

/** Writes what a rent at least has to: a key, an instance, its machine's offers, a revision. */
function rent(id: number): void {
	findKey.get('none');
	begin.run();
	const ask = findAsk.get(id);
	insertInstance.run();
	insertKey.run('instance', `bench ${process.pid} ${++keys}`, 'last', 0);
	revise.run();
	rented.run(Number(ask?.['machine_id']));
	commit.run();
}

function answer(path: string, body: string, response: ServerResponse): void {
	const [, word = '', name = ''] = path.split('/');
	if (word === 'keep') {
		kept.set(name, Buffer.from(body));
		parsed.set(name, JSON.parse(body));
	}
	if (word === 'rent') rent(Number(name));
	if (word === 'hear') {
		findKey.get('none');
		hear.run(Date.now() / 1000, Number(name));
	}
	if (word === 'print') kept.set(name, Buffer.from(JSON.stringify(parsed.get(name))));
	const isKept = word === 'send' || word === 'print';
	const bytes = (isKept ? kept.get(name) : undefined) ?? Buffer.from('{"success":true}');
	response.writeHead(200, {'content-type': 'application/json', 'content-length': bytes.length});
	response.end(bytes);
}

const server = createServer((request, response) => {
	let body = '';
	request.setEncoding('utf8').on('data', (text: string) => (body += text));
	request.on('end', () => {
		if (body !== '') JSON.parse(body);
		answer(request.url ?? '', body, response);
	});
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
console.log(typeof address === 'object' ? address?.port : address);
