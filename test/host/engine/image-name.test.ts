import {expect, test} from 'vitest';
import {readImageName, registryAuth} from '../../../source/host/engine/image-name.ts';

test.each([
	['ubuntu', 'docker.io', 'library/ubuntu', ':latest'],
	['ubuntu:24.04', 'docker.io', 'library/ubuntu', ':24.04'],
	['docker.io/ubuntu', 'docker.io', 'library/ubuntu', ':latest'],
	['index.docker.io/a/b', 'docker.io', 'a/b', ':latest'],
	['localhost/own', 'localhost', 'own', ':latest'],
	['localhost:5000/own', 'localhost:5000', 'own', ':latest'],
	['ghcr.io/one/two:v1', 'ghcr.io', 'one/two', ':v1'],
	['docker://a/b:1', 'docker.io', 'a/b', ':1'],
	['a/b:1@sha256:0f', 'docker.io', 'a/b:1', '@sha256:0f'],
])('%s is read as what engines call it', (text, registry, path, end) => {
	const repository = `${registry}/${path}`;
	const full = repository + end;
	expect(readImageName(text)).toEqual({full, registry, repository, tag: end.slice(1)});
});

test.each(['', '../containers/other', 'a/../b', 'a//b', 'a b', 'a?x=1', 'a#b', '/a', 'a\n', 'é'])(
	'%j leads nowhere else: it is no name',
	text => {
		expect(readImageName(text === 'a\n' ? 'a\nb' : text)).toBeUndefined();
	},
);

function opened(login: string): unknown {
	const header = registryAuth(login);
	return header === undefined
		? undefined
		: JSON.parse(Buffer.from(header, 'base64url').toString('utf8'));
}

test('a registry is shown who asks', () => {
	const me = {username: 'me', password: 'secret'};
	expect(opened('-u me -p secret ghcr.io')).toEqual({...me, serveraddress: 'ghcr.io'});
	expect(opened('ghcr.io  --username me --password secret')).toEqual({
		...me,
		serveraddress: 'ghcr.io',
	});
	expect(opened('-u me -p secret')).toEqual(me);
	expect(opened('-u me')).toBeUndefined();
	expect(opened('')).toBeUndefined();
});
