// The JSON API. A token that came with the address is kept for this tab and taken out of the address.
const TOKEN = "kakari-token";

export function takeToken(fragment) {
  const token = fragment.get("token");
  if (token !== null) {
    sessionStorage.setItem(TOKEN, token);
    fragment.delete("token");
    history.replaceState(null, "", fragment.size ? `#${fragment}` : location.pathname);
  }
}

export async function ask(path, body, signal) {
  const headers = { "Content-Type": "application/json" };
  const token = sessionStorage.getItem(TOKEN);
  if (token) headers.Authorization = `Bearer ${token}`;
  const answer = await fetch(path, {
    method: body === undefined ? "GET" : "POST",
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
    signal,
  });
  if (!answer.ok) {
    const told = await answer.json().catch(() => ({ error: `${answer.status} ${answer.statusText}` }));
    throw new Error(told.error);
  }
  return answer;
}

export const askJson = async (path, body, signal) => (await ask(path, body, signal)).json();
